//! One container of a Pod: what it starts, with which variables, files and devices.
use super::{Flag, Number, Text, Words, objects, words};
use serde::Serialize;
use tfjob_lang::origin::Traced;

objects! {
    /// Container v1 core.
    Container {
        /// The name.
        name: Text,
        /// The image.
        image: Text,
        /// When it is pulled.
        image_pull_policy: Option<Traced<PullPolicy>>,
        /// The program and its words; `$(NAME)` is a variable, `$$` a `$`.
        command: Vec<Traced<String>>,
        /// Where it starts.
        working_dir: Text,
        /// Variables, in order: `$(NAME)` sees those above it.
        env: Vec<EnvVar>,
        /// Ports.
        ports: Vec<ContainerPort>,
        /// What it gets.
        resources: Resources,
        /// Files.
        volume_mounts: Vec<VolumeMount>,
        /// When it is ready.
        readiness_probe: Option<Probe>,
        /// What it may do.
        security_context: SecurityContext,
    }
    /// EnvVar v1 core.
    EnvVar {
        /// The name.
        name: Text,
        /// The value; `$(NAME)` is a variable above it, `$$` a `$`.
        value: Text,
        /// Where the value is.
        value_from: Option<EnvVarSource>,
    }
    /// EnvVarSource v1 core.
    EnvVarSource {
        /// A field of the Pod.
        field_ref: Option<ObjectFieldSelector>,
        /// An entry of a Secret.
        secret_key_ref: Option<KeySelector>,
    }
    /// ObjectFieldSelector v1 core.
    ObjectFieldSelector {
        /// The field, such as `metadata.labels['a/b']`.
        field_path: Text,
    }
    /// SecretKeySelector v1 core.
    KeySelector {
        /// The object.
        name: Text,
        /// The entry.
        key: Text,
    }
    /// ContainerPort v1 core.
    ContainerPort {
        /// The name, at most 15 characters.
        name: Text,
        /// The number.
        container_port: Number,
    }
    /// ResourceRequirements v1 core.
    Resources {
        /// What is reserved.
        requests: Words,
        /// The ceiling.
        limits: Words,
    }
    /// VolumeMount v1 core.
    VolumeMount {
        /// The volume.
        name: Text,
        /// Where.
        mount_path: Text,
        /// The folder or file in the volume.
        sub_path: Text,
        /// Whether it cannot be written.
        read_only: Flag,
    }
    /// Probe v1 core.
    Probe {
        /// A command that ends with 0.
        exec: Option<ExecAction>,
        /// A page that is there.
        http_get: Option<HttpGet>,
        /// A port that accepts.
        tcp_socket: Option<TcpSocket>,
        /// Seconds between looks.
        period_seconds: Number,
    }
    /// ExecAction v1 core.
    ExecAction {
        /// The words, no shell.
        command: Vec<Traced<String>>,
    }
    /// HTTPGetAction v1 core.
    HttpGet {
        /// The page.
        path: Text,
        /// The port.
        port: Number,
    }
    /// TCPSocketAction v1 core.
    TcpSocket {
        /// The port.
        port: Number,
    }
    /// SecurityContext v1 core.
    SecurityContext {
        /// Whether a program may gain rights.
        allow_privilege_escalation: Flag,
        /// Kernel capabilities.
        capabilities: Capabilities,
    }
    /// Capabilities v1 core.
    Capabilities {
        /// Taken away.
        drop: Vec<Traced<String>>,
    }
    /// SeccompProfile v1 core.
    SeccompProfile {
        /// `RuntimeDefault`, `Unconfined`, `Localhost`.
        r#type: Text,
    }
}

words! {
    /// When an image is pulled.
    PullPolicy {
        /// Where the node does not have it.
        IfNotPresent,
        /// At each start.
        Always,
        /// Never.
        Never,
    }
}
