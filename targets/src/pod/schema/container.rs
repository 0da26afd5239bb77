//! Containers of a Pod.
use super::{Flag, Number, Text, Words, objects, words};
use serde::Serialize;
use tfjob_lang::origin::Traced;

objects! {
    /// Container v1 core.
    Container {
        /// Name.
        name: Text,
        /// Image.
        image: Text,
        /// Image pull policy.
        image_pull_policy: Option<Traced<PullPolicy>>,
        /// Program and arguments. The kubelet replaces `$(NAME)` by the value of an environment variable, and `$$` by `$`.
        command: Vec<Traced<String>>,
        /// Working directory.
        working_dir: Text,
        /// Environment variables. In a value, the kubelet replaces `$(NAME)` by the value of a variable that is earlier in the
        /// list.
        env: Vec<EnvVar>,
        /// Ports.
        ports: Vec<ContainerPort>,
        /// Resource requests and limits.
        resources: Resources,
        /// Volume mounts.
        volume_mounts: Vec<VolumeMount>,
        /// Readiness probe.
        readiness_probe: Option<Probe>,
        /// Security context.
        security_context: SecurityContext,
    }
    /// EnvVar v1 core.
    EnvVar {
        /// Name of the environment variable.
        name: Text,
        /// Value. The kubelet replaces `$(NAME)` by the value of a variable that is earlier in the list, and `$$` by `$`.
        value: Text,
        /// Source of the value.
        value_from: Option<EnvVarSource>,
    }
    /// EnvVarSource v1 core.
    EnvVarSource {
        /// Pod field.
        field_ref: Option<ObjectFieldSelector>,
        /// Entry of a Secret.
        secret_key_ref: Option<KeySelector>,
    }
    /// ObjectFieldSelector v1 core.
    ObjectFieldSelector {
        /// Path of the field, such as `metadata.labels['a/b']`.
        field_path: Text,
    }
    /// SecretKeySelector v1 core.
    KeySelector {
        /// Name of the Secret.
        name: Text,
        /// Key of the entry.
        key: Text,
    }
    /// ContainerPort v1 core.
    ContainerPort {
        /// Name, at most 15 characters.
        name: Text,
        /// Port number.
        container_port: Number,
    }
    /// ResourceRequirements v1 core.
    Resources {
        /// Requests.
        requests: Words,
        /// Limits.
        limits: Words,
    }
    /// VolumeMount v1 core.
    VolumeMount {
        /// Name of the volume.
        name: Text,
        /// Path in the container.
        mount_path: Text,
        /// Path of a directory or file in the volume. If set, only this directory or file is mounted.
        sub_path: Text,
        /// Whether the mount is read-only.
        read_only: Flag,
    }
    /// Probe v1 core.
    Probe {
        /// Command that must exit with 0.
        exec: Option<ExecAction>,
        /// HTTP request that must succeed.
        http_get: Option<HttpGet>,
        /// TCP port that must accept connections.
        tcp_socket: Option<TcpSocket>,
        /// Seconds between probes.
        period_seconds: Number,
    }
    /// ExecAction v1 core.
    ExecAction {
        /// Program and arguments. The kubelet runs them without a shell.
        command: Vec<Traced<String>>,
    }
    /// HTTPGetAction v1 core.
    HttpGet {
        /// Path of the request.
        path: Text,
        /// Port number.
        port: Number,
    }
    /// TCPSocketAction v1 core.
    TcpSocket {
        /// Port number.
        port: Number,
    }
    /// SecurityContext v1 core.
    SecurityContext {
        /// Whether a process may gain more privileges than its parent process.
        allow_privilege_escalation: Flag,
        /// Linux capabilities.
        capabilities: Capabilities,
    }
    /// Capabilities v1 core.
    Capabilities {
        /// Capabilities that the container does not get.
        drop: Vec<Traced<String>>,
    }
    /// SeccompProfile v1 core.
    SeccompProfile {
        /// `RuntimeDefault`, `Unconfined`, or `Localhost`.
        r#type: Text,
    }
}

words! {
    /// Image pull policy.
    PullPolicy {
        /// Pull if the node does not have the image.
        IfNotPresent,
        /// Pull at each start.
        Always,
        /// Never pull.
        Never,
    }
}
