//! One container of a Pod: what it starts, with which variables, files and devices.
use super::{Flag, Number, Text, Words, objects, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
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
        /// Further words.
        args: Vec<Traced<String>>,
        /// Where it starts.
        working_dir: Text,
        /// Variables, in order: `$(NAME)` sees those above it.
        env: Vec<EnvVar>,
        /// Variables from whole objects.
        env_from: Vec<EnvFrom>,
        /// Ports. Each has a name: the operator makes a Service of them.
        ports: Vec<ContainerPort>,
        /// What it gets.
        resources: Resources,
        /// Of a container that runs before: `Always` makes it run beside.
        restart_policy: Text,
        /// Files.
        volume_mounts: Vec<VolumeMount>,
        /// When it is ready.
        readiness_probe: Option<Probe>,
        /// When it is broken.
        liveness_probe: Option<Probe>,
        /// When it has started.
        startup_probe: Option<Probe>,
        /// What happens around its life.
        lifecycle: Option<Lifecycle>,
        /// What it may do.
        security_context: SecurityContext,
        /// The file with its last words.
        termination_message_path: Text,
        /// Where its last words are: `File`, `FallbackToLogsOnError`.
        termination_message_policy: Text,
        /// Whether its input is open.
        stdin: Flag,
        /// Whether it has a terminal.
        tty: Flag,
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
        /// An entry of a ConfigMap.
        config_map_key_ref: Option<KeySelector>,
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
        /// Whether it may be missing.
        optional: Flag,
    }
    /// EnvFromSource v1 core.
    EnvFrom {
        /// What stands before each name.
        prefix: Text,
        /// All entries of a ConfigMap.
        config_map_ref: Option<ConfigMapEnvSource>,
        /// All entries of a Secret.
        secret_ref: Option<SecretEnvSource>,
    }
    /// ConfigMapEnvSource v1 core.
    ConfigMapEnvSource {
        /// The object.
        name: Text,
        /// Whether it may be missing.
        optional: Flag,
    }
    /// SecretEnvSource v1 core.
    SecretEnvSource {
        /// The object.
        name: Text,
        /// Whether it may be missing.
        optional: Flag,
    }
    /// ContainerPort v1 core.
    ContainerPort {
        /// The name, at most 15 characters. `tfjob-port` is the rendezvous.
        name: Text,
        /// The number.
        container_port: Number,
        /// The number at the node.
        host_port: Number,
        /// `TCP`, `UDP`, `SCTP`; the operator's Service says TCP all the same.
        protocol: Text,
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
        /// Whether later mounts are seen: `None`, `HostToContainer`, `Bidirectional`.
        mount_propagation: Text,
    }
    /// Probe v1 core.
    Probe {
        /// A command that ends with 0.
        exec: Option<ExecAction>,
        /// A page that is there.
        http_get: Option<HttpGet>,
        /// A port that accepts.
        tcp_socket: Option<TcpSocket>,
        /// Seconds before the first look.
        initial_delay_seconds: Number,
        /// Seconds between looks.
        period_seconds: Number,
        /// Seconds that a look may take.
        timeout_seconds: Number,
        /// Good looks in a row.
        success_threshold: Number,
        /// Bad looks in a row.
        failure_threshold: Number,
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
        /// `HTTP`, `HTTPS`.
        scheme: Text,
        /// Headers.
        http_headers: Vec<HttpHeader>,
    }
    /// HTTPHeader v1 core.
    HttpHeader {
        /// The name.
        name: Text,
        /// The value.
        value: Text,
    }
    /// TCPSocketAction v1 core.
    TcpSocket {
        /// The port.
        port: Number,
    }
    /// Lifecycle v1 core.
    Lifecycle {
        /// After the start.
        post_start: Option<LifecycleHandler>,
        /// Before SIGTERM, within the same grace.
        pre_stop: Option<LifecycleHandler>,
    }
    /// LifecycleHandler v1 core.
    LifecycleHandler {
        /// A command.
        exec: Option<ExecAction>,
        /// A request.
        http_get: Option<HttpGet>,
    }
    /// SecurityContext v1 core.
    SecurityContext {
        /// Whether a program may gain rights.
        allow_privilege_escalation: Flag,
        /// Kernel capabilities.
        capabilities: Capabilities,
        /// Whether it is root on the node.
        privileged: Flag,
        /// Whether its own files cannot be written.
        read_only_root_filesystem: Flag,
        /// The group.
        run_as_group: Number,
        /// Whether root is refused.
        run_as_non_root: Flag,
        /// The user.
        run_as_user: Number,
        /// Which system calls are let through.
        seccomp_profile: Option<SeccompProfile>,
    }
    /// Capabilities v1 core.
    Capabilities {
        /// Added.
        add: Vec<Traced<String>>,
        /// Taken away.
        drop: Vec<Traced<String>>,
    }
    /// SeccompProfile v1 core.
    SeccompProfile {
        /// `RuntimeDefault`, `Unconfined`, `Localhost`.
        r#type: Text,
        /// The profile's file.
        localhost_profile: Text,
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
