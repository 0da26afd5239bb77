// Written by `targets/conformance/types kubernetes` from what the platform publishes.
pub(super) static AWSELASTIC_BLOCK_STORE_VOLUME_SOURCE: Object = Object {
    name: "AWSElasticBlockStoreVolumeSource",
    fields: &[
        field("fsType", Text),
        field("partition", Int32),
        field("readOnly", Boolean),
        required("volumeID", Text),
    ],
};
pub(super) static AFFINITY: Object = Object {
    name: "Affinity",
    fields: &[
        field("nodeAffinity", Kind::Object(&NODE_AFFINITY)),
        field("podAffinity", Kind::Object(&POD_AFFINITY)),
        field("podAntiAffinity", Kind::Object(&POD_ANTI_AFFINITY)),
    ],
};
pub(super) static APP_ARMOR_PROFILE: Object = Object {
    name: "AppArmorProfile",
    fields: &[
        field("localhostProfile", Text),
        required("type", Kind::Words(&Words(&["Localhost", "RuntimeDefault", "Unconfined"]))),
    ],
};
pub(super) static AZURE_DISK_VOLUME_SOURCE: Object = Object {
    name: "AzureDiskVolumeSource",
    fields: &[
        field("cachingMode", Kind::Words(&Words(&["None", "ReadOnly", "ReadWrite"]))),
        required("diskName", Text),
        required("diskURI", Text),
        field("fsType", Text),
        field("kind", Kind::Words(&Words(&["Dedicated", "Managed", "Shared"]))),
        field("readOnly", Boolean),
    ],
};
pub(super) static AZURE_FILE_VOLUME_SOURCE: Object = Object {
    name: "AzureFileVolumeSource",
    fields: &[
        field("readOnly", Boolean),
        required("secretName", Text),
        required("shareName", Text),
    ],
};
pub(super) static CSIVOLUME_SOURCE: Object = Object {
    name: "CSIVolumeSource",
    fields: &[
        required("driver", Text),
        field("fsType", Text),
        field("nodePublishSecretRef", Kind::Object(&LOCAL_OBJECT_REFERENCE)),
        field("readOnly", Boolean),
        field("volumeAttributes", Kind::Map(&Text)),
    ],
};
pub(super) static CAPABILITIES: Object = Object {
    name: "Capabilities",
    fields: &[
        field("add", Kind::List(&List { item: Text, keys: &[] })),
        field("drop", Kind::List(&List { item: Text, keys: &[] })),
    ],
};
pub(super) static CEPH_FSVOLUME_SOURCE: Object = Object {
    name: "CephFSVolumeSource",
    fields: &[
        required("monitors", Kind::List(&List { item: Text, keys: &[] })),
        field("path", Text),
        field("readOnly", Boolean),
        field("secretFile", Text),
        field("secretRef", Kind::Object(&LOCAL_OBJECT_REFERENCE)),
        field("user", Text),
    ],
};
pub(super) static CINDER_VOLUME_SOURCE: Object = Object {
    name: "CinderVolumeSource",
    fields: &[
        field("fsType", Text),
        field("readOnly", Boolean),
        field("secretRef", Kind::Object(&LOCAL_OBJECT_REFERENCE)),
        required("volumeID", Text),
    ],
};
pub(super) static CLUSTER_TRUST_BUNDLE_PROJECTION: Object = Object {
    name: "ClusterTrustBundleProjection",
    fields: &[
        field("labelSelector", Kind::Object(&LABEL_SELECTOR)),
        field("name", Text),
        field("optional", Boolean),
        required("path", Text),
        field("signerName", Text),
    ],
};
pub(super) static CONFIG_MAP_ENV_SOURCE: Object = Object {
    name: "ConfigMapEnvSource",
    fields: &[
        field("name", Text),
        field("optional", Boolean),
    ],
};
pub(super) static CONFIG_MAP_KEY_SELECTOR: Object = Object {
    name: "ConfigMapKeySelector",
    fields: &[
        required("key", Text),
        field("name", Text),
        field("optional", Boolean),
    ],
};
pub(super) static CONFIG_MAP_PROJECTION: Object = Object {
    name: "ConfigMapProjection",
    fields: &[
        field("items", Kind::List(&List { item: Kind::Object(&KEY_TO_PATH), keys: &[] })),
        field("name", Text),
        field("optional", Boolean),
    ],
};
pub(super) static CONFIG_MAP_VOLUME_SOURCE: Object = Object {
    name: "ConfigMapVolumeSource",
    fields: &[
        field("defaultMode", Int32),
        field("items", Kind::List(&List { item: Kind::Object(&KEY_TO_PATH), keys: &[] })),
        field("name", Text),
        field("optional", Boolean),
    ],
};
pub(super) static CONTAINER: Object = Object {
    name: "Container",
    fields: &[
        field("args", Kind::List(&List { item: Text, keys: &[] })),
        field("command", Kind::List(&List { item: Text, keys: &[] })),
        field("env", Kind::List(&List { item: Kind::Object(&ENV_VAR), keys: &["name"] })),
        field("envFrom", Kind::List(&List { item: Kind::Object(&ENV_FROM_SOURCE), keys: &[] })),
        field("image", Text),
        field("imagePullPolicy", Kind::Words(&Words(&["Always", "IfNotPresent", "Never"]))),
        field("lifecycle", Kind::Object(&LIFECYCLE)),
        field("livenessProbe", Kind::Object(&PROBE)),
        required("name", Text),
        field("ports", Kind::List(&List { item: Kind::Object(&CONTAINER_PORT), keys: &["containerPort", "protocol"] })),
        field("readinessProbe", Kind::Object(&PROBE)),
        field("resizePolicy", Kind::List(&List { item: Kind::Object(&CONTAINER_RESIZE_POLICY), keys: &[] })),
        field("resources", Kind::Object(&RESOURCE_REQUIREMENTS)),
        field("restartPolicy", Text),
        field("restartPolicyRules", Kind::List(&List { item: Kind::Object(&CONTAINER_RESTART_RULE), keys: &[] })),
        field("securityContext", Kind::Object(&SECURITY_CONTEXT)),
        field("startupProbe", Kind::Object(&PROBE)),
        field("stdin", Boolean),
        field("stdinOnce", Boolean),
        field("terminationMessagePath", Text),
        field("terminationMessagePolicy", Kind::Words(&Words(&["FallbackToLogsOnError", "File"]))),
        field("tty", Boolean),
        field("volumeDevices", Kind::List(&List { item: Kind::Object(&VOLUME_DEVICE), keys: &["devicePath"] })),
        field("volumeMounts", Kind::List(&List { item: Kind::Object(&VOLUME_MOUNT), keys: &["mountPath"] })),
        field("workingDir", Text),
    ],
};
pub(super) static CONTAINER_PORT: Object = Object {
    name: "ContainerPort",
    fields: &[
        required("containerPort", Int32),
        field("hostIP", Text),
        field("hostPort", Int32),
        field("name", Text),
        field("protocol", Kind::Words(&Words(&["SCTP", "TCP", "UDP"]))),
    ],
};
pub(super) static CONTAINER_RESIZE_POLICY: Object = Object {
    name: "ContainerResizePolicy",
    fields: &[
        required("resourceName", Text),
        required("restartPolicy", Text),
    ],
};
pub(super) static CONTAINER_RESTART_RULE: Object = Object {
    name: "ContainerRestartRule",
    fields: &[
        required("action", Text),
        field("exitCodes", Kind::Object(&CONTAINER_RESTART_RULE_ON_EXIT_CODES)),
    ],
};
pub(super) static CONTAINER_RESTART_RULE_ON_EXIT_CODES: Object = Object {
    name: "ContainerRestartRuleOnExitCodes",
    fields: &[
        required("operator", Text),
        field("values", Kind::List(&List { item: Int32, keys: &[""] })),
    ],
};
pub(super) static DOWNWARD_APIPROJECTION: Object = Object {
    name: "DownwardAPIProjection",
    fields: &[
        field("items", Kind::List(&List { item: Kind::Object(&DOWNWARD_APIVOLUME_FILE), keys: &[] })),
    ],
};
pub(super) static DOWNWARD_APIVOLUME_FILE: Object = Object {
    name: "DownwardAPIVolumeFile",
    fields: &[
        field("fieldRef", Kind::Object(&OBJECT_FIELD_SELECTOR)),
        field("mode", Int32),
        required("path", Text),
        field("resourceFieldRef", Kind::Object(&RESOURCE_FIELD_SELECTOR)),
    ],
};
pub(super) static DOWNWARD_APIVOLUME_SOURCE: Object = Object {
    name: "DownwardAPIVolumeSource",
    fields: &[
        field("defaultMode", Int32),
        field("items", Kind::List(&List { item: Kind::Object(&DOWNWARD_APIVOLUME_FILE), keys: &[] })),
    ],
};
pub(super) static EMPTY_DIR_VOLUME_SOURCE: Object = Object {
    name: "EmptyDirVolumeSource",
    fields: &[
        field("medium", Text),
        field("sizeLimit", Quantity),
    ],
};
pub(super) static ENV_FROM_SOURCE: Object = Object {
    name: "EnvFromSource",
    fields: &[
        field("configMapRef", Kind::Object(&CONFIG_MAP_ENV_SOURCE)),
        field("prefix", Text),
        field("secretRef", Kind::Object(&SECRET_ENV_SOURCE)),
    ],
};
pub(super) static ENV_VAR: Object = Object {
    name: "EnvVar",
    fields: &[
        required("name", Text),
        field("value", Text),
        field("valueFrom", Kind::Object(&ENV_VAR_SOURCE)),
    ],
};
pub(super) static ENV_VAR_SOURCE: Object = Object {
    name: "EnvVarSource",
    fields: &[
        field("configMapKeyRef", Kind::Object(&CONFIG_MAP_KEY_SELECTOR)),
        field("fieldRef", Kind::Object(&OBJECT_FIELD_SELECTOR)),
        field("fileKeyRef", Kind::Object(&FILE_KEY_SELECTOR)),
        field("resourceFieldRef", Kind::Object(&RESOURCE_FIELD_SELECTOR)),
        field("secretKeyRef", Kind::Object(&SECRET_KEY_SELECTOR)),
    ],
};
pub(super) static EPHEMERAL_CONTAINER: Object = Object {
    name: "EphemeralContainer",
    fields: &[
        field("args", Kind::List(&List { item: Text, keys: &[] })),
        field("command", Kind::List(&List { item: Text, keys: &[] })),
        field("env", Kind::List(&List { item: Kind::Object(&ENV_VAR), keys: &["name"] })),
        field("envFrom", Kind::List(&List { item: Kind::Object(&ENV_FROM_SOURCE), keys: &[] })),
        field("image", Text),
        field("imagePullPolicy", Kind::Words(&Words(&["Always", "IfNotPresent", "Never"]))),
        field("lifecycle", Kind::Object(&LIFECYCLE)),
        field("livenessProbe", Kind::Object(&PROBE)),
        required("name", Text),
        field("ports", Kind::List(&List { item: Kind::Object(&CONTAINER_PORT), keys: &["containerPort", "protocol"] })),
        field("readinessProbe", Kind::Object(&PROBE)),
        field("resizePolicy", Kind::List(&List { item: Kind::Object(&CONTAINER_RESIZE_POLICY), keys: &[] })),
        field("resources", Kind::Object(&RESOURCE_REQUIREMENTS)),
        field("restartPolicy", Text),
        field("restartPolicyRules", Kind::List(&List { item: Kind::Object(&CONTAINER_RESTART_RULE), keys: &[] })),
        field("securityContext", Kind::Object(&SECURITY_CONTEXT)),
        field("startupProbe", Kind::Object(&PROBE)),
        field("stdin", Boolean),
        field("stdinOnce", Boolean),
        field("targetContainerName", Text),
        field("terminationMessagePath", Text),
        field("terminationMessagePolicy", Kind::Words(&Words(&["FallbackToLogsOnError", "File"]))),
        field("tty", Boolean),
        field("volumeDevices", Kind::List(&List { item: Kind::Object(&VOLUME_DEVICE), keys: &["devicePath"] })),
        field("volumeMounts", Kind::List(&List { item: Kind::Object(&VOLUME_MOUNT), keys: &["mountPath"] })),
        field("workingDir", Text),
    ],
};
pub(super) static EPHEMERAL_VOLUME_SOURCE: Object = Object {
    name: "EphemeralVolumeSource",
    fields: &[
        field("volumeClaimTemplate", Kind::Object(&PERSISTENT_VOLUME_CLAIM_TEMPLATE)),
    ],
};
pub(super) static EXEC_ACTION: Object = Object {
    name: "ExecAction",
    fields: &[
        field("command", Kind::List(&List { item: Text, keys: &[] })),
    ],
};
pub(super) static FCVOLUME_SOURCE: Object = Object {
    name: "FCVolumeSource",
    fields: &[
        field("fsType", Text),
        field("lun", Int32),
        field("readOnly", Boolean),
        field("targetWWNs", Kind::List(&List { item: Text, keys: &[] })),
        field("wwids", Kind::List(&List { item: Text, keys: &[] })),
    ],
};
pub(super) static FILE_KEY_SELECTOR: Object = Object {
    name: "FileKeySelector",
    fields: &[
        required("key", Text),
        field("optional", Boolean),
        required("path", Text),
        required("volumeName", Text),
    ],
};
pub(super) static FLEX_VOLUME_SOURCE: Object = Object {
    name: "FlexVolumeSource",
    fields: &[
        required("driver", Text),
        field("fsType", Text),
        field("options", Kind::Map(&Text)),
        field("readOnly", Boolean),
        field("secretRef", Kind::Object(&LOCAL_OBJECT_REFERENCE)),
    ],
};
pub(super) static FLOCKER_VOLUME_SOURCE: Object = Object {
    name: "FlockerVolumeSource",
    fields: &[
        field("datasetName", Text),
        field("datasetUUID", Text),
    ],
};
pub(super) static GCEPERSISTENT_DISK_VOLUME_SOURCE: Object = Object {
    name: "GCEPersistentDiskVolumeSource",
    fields: &[
        field("fsType", Text),
        field("partition", Int32),
        required("pdName", Text),
        field("readOnly", Boolean),
    ],
};
pub(super) static GRPCACTION: Object = Object {
    name: "GRPCAction",
    fields: &[
        required("port", Int32),
        field("service", Text),
    ],
};
pub(super) static GIT_REPO_VOLUME_SOURCE: Object = Object {
    name: "GitRepoVolumeSource",
    fields: &[
        field("directory", Text),
        required("repository", Text),
        field("revision", Text),
    ],
};
pub(super) static GLUSTERFS_VOLUME_SOURCE: Object = Object {
    name: "GlusterfsVolumeSource",
    fields: &[
        required("endpoints", Text),
        required("path", Text),
        field("readOnly", Boolean),
    ],
};
pub(super) static HTTPGET_ACTION: Object = Object {
    name: "HTTPGetAction",
    fields: &[
        field("host", Text),
        field("httpHeaders", Kind::List(&List { item: Kind::Object(&HTTPHEADER), keys: &[] })),
        field("path", Text),
        required("port", IntOrText),
        field("scheme", Kind::Words(&Words(&["HTTP", "HTTPS"]))),
    ],
};
pub(super) static HTTPHEADER: Object = Object {
    name: "HTTPHeader",
    fields: &[
        required("name", Text),
        required("value", Text),
    ],
};
pub(super) static HOST_ALIAS: Object = Object {
    name: "HostAlias",
    fields: &[
        field("hostnames", Kind::List(&List { item: Text, keys: &[] })),
        required("ip", Text),
    ],
};
pub(super) static HOST_PATH_VOLUME_SOURCE: Object = Object {
    name: "HostPathVolumeSource",
    fields: &[
        required("path", Text),
        field("type", Kind::Words(&Words(&["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"]))),
    ],
};
pub(super) static ISCSIVOLUME_SOURCE: Object = Object {
    name: "ISCSIVolumeSource",
    fields: &[
        field("chapAuthDiscovery", Boolean),
        field("chapAuthSession", Boolean),
        field("fsType", Text),
        field("initiatorName", Text),
        required("iqn", Text),
        field("iscsiInterface", Text),
        required("lun", Int32),
        field("portals", Kind::List(&List { item: Text, keys: &[] })),
        field("readOnly", Boolean),
        field("secretRef", Kind::Object(&LOCAL_OBJECT_REFERENCE)),
        required("targetPortal", Text),
    ],
};
pub(super) static IMAGE_VOLUME_SOURCE: Object = Object {
    name: "ImageVolumeSource",
    fields: &[
        field("pullPolicy", Kind::Words(&Words(&["Always", "IfNotPresent", "Never"]))),
        field("reference", Text),
    ],
};
pub(super) static KEY_TO_PATH: Object = Object {
    name: "KeyToPath",
    fields: &[
        required("key", Text),
        field("mode", Int32),
        required("path", Text),
    ],
};
pub(super) static LABEL_SELECTOR: Object = Object {
    name: "LabelSelector",
    fields: &[
        field("matchExpressions", Kind::List(&List { item: Kind::Object(&LABEL_SELECTOR_REQUIREMENT), keys: &[] })),
        field("matchLabels", Kind::Map(&Text)),
    ],
};
pub(super) static LABEL_SELECTOR_REQUIREMENT: Object = Object {
    name: "LabelSelectorRequirement",
    fields: &[
        required("key", Text),
        required("operator", Text),
        field("values", Kind::List(&List { item: Text, keys: &[] })),
    ],
};
pub(super) static LIFECYCLE: Object = Object {
    name: "Lifecycle",
    fields: &[
        field("postStart", Kind::Object(&LIFECYCLE_HANDLER)),
        field("preStop", Kind::Object(&LIFECYCLE_HANDLER)),
        field("stopSignal", Kind::Words(&Words(&["SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGFPE", "SIGHUP", "SIGILL", "SIGINT", "SIGIO", "SIGIOT", "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR", "SIGQUIT", "SIGRTMAX", "SIGRTMAX-1", "SIGRTMAX-10", "SIGRTMAX-11", "SIGRTMAX-12", "SIGRTMAX-13", "SIGRTMAX-14", "SIGRTMAX-2", "SIGRTMAX-3", "SIGRTMAX-4", "SIGRTMAX-5", "SIGRTMAX-6", "SIGRTMAX-7", "SIGRTMAX-8", "SIGRTMAX-9", "SIGRTMIN", "SIGRTMIN+1", "SIGRTMIN+10", "SIGRTMIN+11", "SIGRTMIN+12", "SIGRTMIN+13", "SIGRTMIN+14", "SIGRTMIN+15", "SIGRTMIN+2", "SIGRTMIN+3", "SIGRTMIN+4", "SIGRTMIN+5", "SIGRTMIN+6", "SIGRTMIN+7", "SIGRTMIN+8", "SIGRTMIN+9", "SIGSEGV", "SIGSTKFLT", "SIGSTOP", "SIGSYS", "SIGTERM", "SIGTRAP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ"]))),
    ],
};
pub(super) static LIFECYCLE_HANDLER: Object = Object {
    name: "LifecycleHandler",
    fields: &[
        field("exec", Kind::Object(&EXEC_ACTION)),
        field("httpGet", Kind::Object(&HTTPGET_ACTION)),
        field("sleep", Kind::Object(&SLEEP_ACTION)),
        field("tcpSocket", Kind::Object(&TCPSOCKET_ACTION)),
    ],
};
pub(super) static LOCAL_OBJECT_REFERENCE: Object = Object {
    name: "LocalObjectReference",
    fields: &[
        field("name", Text),
    ],
};
pub(super) static NFSVOLUME_SOURCE: Object = Object {
    name: "NFSVolumeSource",
    fields: &[
        required("path", Text),
        field("readOnly", Boolean),
        required("server", Text),
    ],
};
pub(super) static NODE_AFFINITY: Object = Object {
    name: "NodeAffinity",
    fields: &[
        field("preferredDuringSchedulingIgnoredDuringExecution", Kind::List(&List { item: Kind::Object(&PREFERRED_SCHEDULING_TERM), keys: &[] })),
        field("requiredDuringSchedulingIgnoredDuringExecution", Kind::Object(&NODE_SELECTOR)),
    ],
};
pub(super) static NODE_SELECTOR: Object = Object {
    name: "NodeSelector",
    fields: &[
        required("nodeSelectorTerms", Kind::List(&List { item: Kind::Object(&NODE_SELECTOR_TERM), keys: &[] })),
    ],
};
pub(super) static NODE_SELECTOR_REQUIREMENT: Object = Object {
    name: "NodeSelectorRequirement",
    fields: &[
        required("key", Text),
        required("operator", Kind::Words(&Words(&["DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn"]))),
        field("values", Kind::List(&List { item: Text, keys: &[] })),
    ],
};
pub(super) static NODE_SELECTOR_TERM: Object = Object {
    name: "NodeSelectorTerm",
    fields: &[
        field("matchExpressions", Kind::List(&List { item: Kind::Object(&NODE_SELECTOR_REQUIREMENT), keys: &[] })),
        field("matchFields", Kind::List(&List { item: Kind::Object(&NODE_SELECTOR_REQUIREMENT), keys: &[] })),
    ],
};
pub(super) static OBJECT_FIELD_SELECTOR: Object = Object {
    name: "ObjectFieldSelector",
    fields: &[
        field("apiVersion", Text),
        required("fieldPath", Text),
    ],
};
pub(super) static PERSISTENT_VOLUME_CLAIM_SPEC: Object = Object {
    name: "PersistentVolumeClaimSpec",
    fields: &[
        field("accessModes", Kind::List(&List { item: Kind::Words(&Words(&["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"])), keys: &[] })),
        field("dataSource", Kind::Object(&TYPED_LOCAL_OBJECT_REFERENCE)),
        field("dataSourceRef", Kind::Object(&TYPED_OBJECT_REFERENCE)),
        field("resources", Kind::Object(&VOLUME_RESOURCE_REQUIREMENTS)),
        field("selector", Kind::Object(&LABEL_SELECTOR)),
        field("storageClassName", Text),
        field("volumeAttributesClassName", Text),
        field("volumeMode", Kind::Words(&Words(&["Block", "Filesystem"]))),
        field("volumeName", Text),
    ],
};
pub(super) static PERSISTENT_VOLUME_CLAIM_TEMPLATE: Object = Object {
    name: "PersistentVolumeClaimTemplate",
    fields: &[
        field("metadata", Kind::Object(&TEMPLATE_META)),
        required("spec", Kind::Object(&PERSISTENT_VOLUME_CLAIM_SPEC)),
    ],
};
pub(super) static PERSISTENT_VOLUME_CLAIM_VOLUME_SOURCE: Object = Object {
    name: "PersistentVolumeClaimVolumeSource",
    fields: &[
        required("claimName", Text),
        field("readOnly", Boolean),
    ],
};
pub(super) static PHOTON_PERSISTENT_DISK_VOLUME_SOURCE: Object = Object {
    name: "PhotonPersistentDiskVolumeSource",
    fields: &[
        field("fsType", Text),
        required("pdID", Text),
    ],
};
pub(super) static POD_AFFINITY: Object = Object {
    name: "PodAffinity",
    fields: &[
        field("preferredDuringSchedulingIgnoredDuringExecution", Kind::List(&List { item: Kind::Object(&WEIGHTED_POD_AFFINITY_TERM), keys: &[] })),
        field("requiredDuringSchedulingIgnoredDuringExecution", Kind::List(&List { item: Kind::Object(&POD_AFFINITY_TERM), keys: &[] })),
    ],
};
pub(super) static POD_AFFINITY_TERM: Object = Object {
    name: "PodAffinityTerm",
    fields: &[
        field("labelSelector", Kind::Object(&LABEL_SELECTOR)),
        field("matchLabelKeys", Kind::List(&List { item: Text, keys: &[] })),
        field("mismatchLabelKeys", Kind::List(&List { item: Text, keys: &[] })),
        field("namespaceSelector", Kind::Object(&LABEL_SELECTOR)),
        field("namespaces", Kind::List(&List { item: Text, keys: &[] })),
        required("topologyKey", Text),
    ],
};
pub(super) static POD_ANTI_AFFINITY: Object = Object {
    name: "PodAntiAffinity",
    fields: &[
        field("preferredDuringSchedulingIgnoredDuringExecution", Kind::List(&List { item: Kind::Object(&WEIGHTED_POD_AFFINITY_TERM), keys: &[] })),
        field("requiredDuringSchedulingIgnoredDuringExecution", Kind::List(&List { item: Kind::Object(&POD_AFFINITY_TERM), keys: &[] })),
    ],
};
pub(super) static POD_CERTIFICATE_PROJECTION: Object = Object {
    name: "PodCertificateProjection",
    fields: &[
        field("certificateChainPath", Text),
        field("credentialBundlePath", Text),
        field("keyPath", Text),
        required("keyType", Text),
        field("maxExpirationSeconds", Int32),
        required("signerName", Text),
        field("userAnnotations", Kind::Map(&Text)),
    ],
};
pub(super) static POD_DNSCONFIG: Object = Object {
    name: "PodDNSConfig",
    fields: &[
        field("nameservers", Kind::List(&List { item: Text, keys: &[] })),
        field("options", Kind::List(&List { item: Kind::Object(&POD_DNSCONFIG_OPTION), keys: &[] })),
        field("searches", Kind::List(&List { item: Text, keys: &[] })),
    ],
};
pub(super) static POD_DNSCONFIG_OPTION: Object = Object {
    name: "PodDNSConfigOption",
    fields: &[
        field("name", Text),
        field("value", Text),
    ],
};
pub(super) static POD_OS: Object = Object {
    name: "PodOS",
    fields: &[
        required("name", Text),
    ],
};
pub(super) static POD_READINESS_GATE: Object = Object {
    name: "PodReadinessGate",
    fields: &[
        required("conditionType", Text),
    ],
};
pub(super) static POD_RESOURCE_CLAIM: Object = Object {
    name: "PodResourceClaim",
    fields: &[
        required("name", Text),
        field("resourceClaimName", Text),
        field("resourceClaimTemplateName", Text),
    ],
};
pub(super) static POD_SCHEDULING_GATE: Object = Object {
    name: "PodSchedulingGate",
    fields: &[
        required("name", Text),
    ],
};
pub(super) static POD_SCHEDULING_GROUP: Object = Object {
    name: "PodSchedulingGroup",
    fields: &[
        field("podGroupName", Text),
    ],
};
pub(super) static POD_SECURITY_CONTEXT: Object = Object {
    name: "PodSecurityContext",
    fields: &[
        field("appArmorProfile", Kind::Object(&APP_ARMOR_PROFILE)),
        field("fsGroup", Int64),
        field("fsGroupChangePolicy", Kind::Words(&Words(&["Always", "OnRootMismatch"]))),
        field("runAsGroup", Int64),
        field("runAsNonRoot", Boolean),
        field("runAsUser", Int64),
        field("seLinuxChangePolicy", Text),
        field("seLinuxOptions", Kind::Object(&SELINUX_OPTIONS)),
        field("seccompProfile", Kind::Object(&SECCOMP_PROFILE)),
        field("supplementalGroups", Kind::List(&List { item: Int64, keys: &[] })),
        field("supplementalGroupsPolicy", Kind::Words(&Words(&["Merge", "Strict"]))),
        field("sysctls", Kind::List(&List { item: Kind::Object(&SYSCTL), keys: &[] })),
        field("windowsOptions", Kind::Object(&WINDOWS_SECURITY_CONTEXT_OPTIONS)),
    ],
};
pub(super) static POD_SPEC: Object = Object {
    name: "PodSpec",
    fields: &[
        field("activeDeadlineSeconds", Int64),
        field("affinity", Kind::Object(&AFFINITY)),
        field("automountServiceAccountToken", Boolean),
        required("containers", Kind::List(&List { item: Kind::Object(&CONTAINER), keys: &["name"] })),
        field("dnsConfig", Kind::Object(&POD_DNSCONFIG)),
        field("dnsPolicy", Kind::Words(&Words(&["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"]))),
        field("enableServiceLinks", Boolean),
        field("ephemeralContainers", Kind::List(&List { item: Kind::Object(&EPHEMERAL_CONTAINER), keys: &["name"] })),
        field("hostAliases", Kind::List(&List { item: Kind::Object(&HOST_ALIAS), keys: &["ip"] })),
        field("hostIPC", Boolean),
        field("hostNetwork", Boolean),
        field("hostPID", Boolean),
        field("hostUsers", Boolean),
        field("hostname", Text),
        field("hostnameOverride", Text),
        field("imagePullSecrets", Kind::List(&List { item: Kind::Object(&LOCAL_OBJECT_REFERENCE), keys: &["name"] })),
        field("initContainers", Kind::List(&List { item: Kind::Object(&CONTAINER), keys: &["name"] })),
        field("nodeName", Text),
        field("nodeSelector", Kind::Map(&Text)),
        field("os", Kind::Object(&POD_OS)),
        field("overhead", Kind::Map(&Quantity)),
        field("preemptionPolicy", Kind::Words(&Words(&["Never", "PreemptLowerPriority"]))),
        field("priority", Int32),
        field("priorityClassName", Text),
        field("readinessGates", Kind::List(&List { item: Kind::Object(&POD_READINESS_GATE), keys: &[] })),
        field("resourceClaims", Kind::List(&List { item: Kind::Object(&POD_RESOURCE_CLAIM), keys: &["name"] })),
        field("resources", Kind::Object(&RESOURCE_REQUIREMENTS)),
        field("restartPolicy", Kind::Words(&Words(&["Always", "Never", "OnFailure"]))),
        field("runtimeClassName", Text),
        field("schedulerName", Text),
        field("schedulingGates", Kind::List(&List { item: Kind::Object(&POD_SCHEDULING_GATE), keys: &["name"] })),
        field("schedulingGroup", Kind::Object(&POD_SCHEDULING_GROUP)),
        field("securityContext", Kind::Object(&POD_SECURITY_CONTEXT)),
        field("serviceAccount", Text),
        field("serviceAccountName", Text),
        field("setHostnameAsFQDN", Boolean),
        field("shareProcessNamespace", Boolean),
        field("subdomain", Text),
        field("terminationGracePeriodSeconds", Int64),
        field("tolerations", Kind::List(&List { item: Kind::Object(&TOLERATION), keys: &[] })),
        field("topologySpreadConstraints", Kind::List(&List { item: Kind::Object(&TOPOLOGY_SPREAD_CONSTRAINT), keys: &["topologyKey", "whenUnsatisfiable"] })),
        field("volumes", Kind::List(&List { item: Kind::Object(&VOLUME), keys: &["name"] })),
    ],
};
pub(super) static POD_TEMPLATE_SPEC: Object = Object {
    name: "PodTemplateSpec",
    fields: &[
        field("metadata", Kind::Object(&TEMPLATE_META)),
        field("spec", Kind::Object(&POD_SPEC)),
    ],
};
pub(super) static PORTWORX_VOLUME_SOURCE: Object = Object {
    name: "PortworxVolumeSource",
    fields: &[
        field("fsType", Text),
        field("readOnly", Boolean),
        required("volumeID", Text),
    ],
};
pub(super) static PREFERRED_SCHEDULING_TERM: Object = Object {
    name: "PreferredSchedulingTerm",
    fields: &[
        required("preference", Kind::Object(&NODE_SELECTOR_TERM)),
        required("weight", Int32),
    ],
};
pub(super) static PROBE: Object = Object {
    name: "Probe",
    fields: &[
        field("exec", Kind::Object(&EXEC_ACTION)),
        field("failureThreshold", Int32),
        field("grpc", Kind::Object(&GRPCACTION)),
        field("httpGet", Kind::Object(&HTTPGET_ACTION)),
        field("initialDelaySeconds", Int32),
        field("periodSeconds", Int32),
        field("successThreshold", Int32),
        field("tcpSocket", Kind::Object(&TCPSOCKET_ACTION)),
        field("terminationGracePeriodSeconds", Int64),
        field("timeoutSeconds", Int32),
    ],
};
pub(super) static PROJECTED_VOLUME_SOURCE: Object = Object {
    name: "ProjectedVolumeSource",
    fields: &[
        field("defaultMode", Int32),
        field("sources", Kind::List(&List { item: Kind::Object(&VOLUME_PROJECTION), keys: &[] })),
    ],
};
pub(super) static QUOBYTE_VOLUME_SOURCE: Object = Object {
    name: "QuobyteVolumeSource",
    fields: &[
        field("group", Text),
        field("readOnly", Boolean),
        required("registry", Text),
        field("tenant", Text),
        field("user", Text),
        required("volume", Text),
    ],
};
pub(super) static RBDVOLUME_SOURCE: Object = Object {
    name: "RBDVolumeSource",
    fields: &[
        field("fsType", Text),
        required("image", Text),
        field("keyring", Text),
        required("monitors", Kind::List(&List { item: Text, keys: &[] })),
        field("pool", Text),
        field("readOnly", Boolean),
        field("secretRef", Kind::Object(&LOCAL_OBJECT_REFERENCE)),
        field("user", Text),
    ],
};
pub(super) static REPLICA_SPEC: Object = Object {
    name: "ReplicaSpec",
    fields: &[
        field("replicas", Int32),
        field("restartPolicy", Text),
        field("template", Kind::Object(&POD_TEMPLATE_SPEC)),
    ],
};
pub(super) static RESOURCE_CLAIM: Object = Object {
    name: "ResourceClaim",
    fields: &[
        required("name", Text),
        field("request", Text),
    ],
};
pub(super) static RESOURCE_FIELD_SELECTOR: Object = Object {
    name: "ResourceFieldSelector",
    fields: &[
        field("containerName", Text),
        field("divisor", Quantity),
        required("resource", Text),
    ],
};
pub(super) static RESOURCE_REQUIREMENTS: Object = Object {
    name: "ResourceRequirements",
    fields: &[
        field("claims", Kind::List(&List { item: Kind::Object(&RESOURCE_CLAIM), keys: &["name"] })),
        field("limits", Kind::Map(&Quantity)),
        field("requests", Kind::Map(&Quantity)),
    ],
};
pub(super) static RUN_POLICY: Object = Object {
    name: "RunPolicy",
    fields: &[
        field("activeDeadlineSeconds", Int64),
        field("backoffLimit", Int32),
        field("cleanPodPolicy", Text),
        field("managedBy", Text),
        field("schedulingPolicy", Kind::Object(&SCHEDULING_POLICY)),
        field("suspend", Boolean),
        field("ttlSecondsAfterFinished", Int32),
    ],
};
pub(super) static SELINUX_OPTIONS: Object = Object {
    name: "SELinuxOptions",
    fields: &[
        field("level", Text),
        field("role", Text),
        field("type", Text),
        field("user", Text),
    ],
};
pub(super) static SCALE_IOVOLUME_SOURCE: Object = Object {
    name: "ScaleIOVolumeSource",
    fields: &[
        field("fsType", Text),
        required("gateway", Text),
        field("protectionDomain", Text),
        field("readOnly", Boolean),
        required("secretRef", Kind::Object(&LOCAL_OBJECT_REFERENCE)),
        field("sslEnabled", Boolean),
        field("storageMode", Text),
        field("storagePool", Text),
        required("system", Text),
        field("volumeName", Text),
    ],
};
pub(super) static SCHEDULING_POLICY: Object = Object {
    name: "SchedulingPolicy",
    fields: &[
        field("minAvailable", Int32),
        field("minResources", Kind::Map(&Quantity)),
        field("priorityClass", Text),
        field("queue", Text),
        field("scheduleTimeoutSeconds", Int32),
    ],
};
pub(super) static SECCOMP_PROFILE: Object = Object {
    name: "SeccompProfile",
    fields: &[
        field("localhostProfile", Text),
        required("type", Kind::Words(&Words(&["Localhost", "RuntimeDefault", "Unconfined"]))),
    ],
};
pub(super) static SECRET_ENV_SOURCE: Object = Object {
    name: "SecretEnvSource",
    fields: &[
        field("name", Text),
        field("optional", Boolean),
    ],
};
pub(super) static SECRET_KEY_SELECTOR: Object = Object {
    name: "SecretKeySelector",
    fields: &[
        required("key", Text),
        field("name", Text),
        field("optional", Boolean),
    ],
};
pub(super) static SECRET_PROJECTION: Object = Object {
    name: "SecretProjection",
    fields: &[
        field("items", Kind::List(&List { item: Kind::Object(&KEY_TO_PATH), keys: &[] })),
        field("name", Text),
        field("optional", Boolean),
    ],
};
pub(super) static SECRET_VOLUME_SOURCE: Object = Object {
    name: "SecretVolumeSource",
    fields: &[
        field("defaultMode", Int32),
        field("items", Kind::List(&List { item: Kind::Object(&KEY_TO_PATH), keys: &[] })),
        field("optional", Boolean),
        field("secretName", Text),
    ],
};
pub(super) static SECURITY_CONTEXT: Object = Object {
    name: "SecurityContext",
    fields: &[
        field("allowPrivilegeEscalation", Boolean),
        field("appArmorProfile", Kind::Object(&APP_ARMOR_PROFILE)),
        field("capabilities", Kind::Object(&CAPABILITIES)),
        field("privileged", Boolean),
        field("procMount", Kind::Words(&Words(&["Default", "Unmasked"]))),
        field("readOnlyRootFilesystem", Boolean),
        field("runAsGroup", Int64),
        field("runAsNonRoot", Boolean),
        field("runAsUser", Int64),
        field("seLinuxOptions", Kind::Object(&SELINUX_OPTIONS)),
        field("seccompProfile", Kind::Object(&SECCOMP_PROFILE)),
        field("windowsOptions", Kind::Object(&WINDOWS_SECURITY_CONTEXT_OPTIONS)),
    ],
};
pub(super) static SERVICE_ACCOUNT_TOKEN_PROJECTION: Object = Object {
    name: "ServiceAccountTokenProjection",
    fields: &[
        field("audience", Text),
        field("expirationSeconds", Int64),
        required("path", Text),
    ],
};
pub(super) static SLEEP_ACTION: Object = Object {
    name: "SleepAction",
    fields: &[
        required("seconds", Int64),
    ],
};
pub(super) static STORAGE_OSVOLUME_SOURCE: Object = Object {
    name: "StorageOSVolumeSource",
    fields: &[
        field("fsType", Text),
        field("readOnly", Boolean),
        field("secretRef", Kind::Object(&LOCAL_OBJECT_REFERENCE)),
        field("volumeName", Text),
        field("volumeNamespace", Text),
    ],
};
pub(super) static SYSCTL: Object = Object {
    name: "Sysctl",
    fields: &[
        required("name", Text),
        required("value", Text),
    ],
};
pub(super) static TCPSOCKET_ACTION: Object = Object {
    name: "TCPSocketAction",
    fields: &[
        field("host", Text),
        required("port", IntOrText),
    ],
};
pub(super) static TFJOB_SPEC: Object = Object {
    name: "TFJobSpec",
    fields: &[
        field("enableDynamicWorker", Boolean),
        field("runPolicy", Kind::Object(&RUN_POLICY)),
        field("successPolicy", Text),
        required("tfReplicaSpecs", Kind::Map(&Kind::Object(&REPLICA_SPEC))),
    ],
};
pub(super) static TEMPLATE_META: Object = Object {
    name: "TemplateMeta",
    fields: &[
        field("annotations", Kind::Map(&Text)),
        field("finalizers", Kind::List(&List { item: Text, keys: &[] })),
        field("labels", Kind::Map(&Text)),
        field("name", Text),
        field("namespace", Text),
    ],
};
pub(super) static TOLERATION: Object = Object {
    name: "Toleration",
    fields: &[
        field("effect", Kind::Words(&Words(&["NoExecute", "NoSchedule", "PreferNoSchedule"]))),
        field("key", Text),
        field("operator", Kind::Words(&Words(&["Equal", "Exists", "Gt", "Lt"]))),
        field("tolerationSeconds", Int64),
        field("value", Text),
    ],
};
pub(super) static TOPOLOGY_SPREAD_CONSTRAINT: Object = Object {
    name: "TopologySpreadConstraint",
    fields: &[
        field("labelSelector", Kind::Object(&LABEL_SELECTOR)),
        field("matchLabelKeys", Kind::List(&List { item: Text, keys: &[] })),
        required("maxSkew", Int32),
        field("minDomains", Int32),
        field("nodeAffinityPolicy", Kind::Words(&Words(&["Honor", "Ignore"]))),
        field("nodeTaintsPolicy", Kind::Words(&Words(&["Honor", "Ignore"]))),
        required("topologyKey", Text),
        required("whenUnsatisfiable", Kind::Words(&Words(&["DoNotSchedule", "ScheduleAnyway"]))),
    ],
};
pub(super) static TYPED_LOCAL_OBJECT_REFERENCE: Object = Object {
    name: "TypedLocalObjectReference",
    fields: &[
        field("apiGroup", Text),
        required("kind", Text),
        required("name", Text),
    ],
};
pub(super) static TYPED_OBJECT_REFERENCE: Object = Object {
    name: "TypedObjectReference",
    fields: &[
        field("apiGroup", Text),
        required("kind", Text),
        required("name", Text),
        field("namespace", Text),
    ],
};
pub(super) static VOLUME: Object = Object {
    name: "Volume",
    fields: &[
        field("awsElasticBlockStore", Kind::Object(&AWSELASTIC_BLOCK_STORE_VOLUME_SOURCE)),
        field("azureDisk", Kind::Object(&AZURE_DISK_VOLUME_SOURCE)),
        field("azureFile", Kind::Object(&AZURE_FILE_VOLUME_SOURCE)),
        field("cephfs", Kind::Object(&CEPH_FSVOLUME_SOURCE)),
        field("cinder", Kind::Object(&CINDER_VOLUME_SOURCE)),
        field("configMap", Kind::Object(&CONFIG_MAP_VOLUME_SOURCE)),
        field("csi", Kind::Object(&CSIVOLUME_SOURCE)),
        field("downwardAPI", Kind::Object(&DOWNWARD_APIVOLUME_SOURCE)),
        field("emptyDir", Kind::Object(&EMPTY_DIR_VOLUME_SOURCE)),
        field("ephemeral", Kind::Object(&EPHEMERAL_VOLUME_SOURCE)),
        field("fc", Kind::Object(&FCVOLUME_SOURCE)),
        field("flexVolume", Kind::Object(&FLEX_VOLUME_SOURCE)),
        field("flocker", Kind::Object(&FLOCKER_VOLUME_SOURCE)),
        field("gcePersistentDisk", Kind::Object(&GCEPERSISTENT_DISK_VOLUME_SOURCE)),
        field("gitRepo", Kind::Object(&GIT_REPO_VOLUME_SOURCE)),
        field("glusterfs", Kind::Object(&GLUSTERFS_VOLUME_SOURCE)),
        field("hostPath", Kind::Object(&HOST_PATH_VOLUME_SOURCE)),
        field("image", Kind::Object(&IMAGE_VOLUME_SOURCE)),
        field("iscsi", Kind::Object(&ISCSIVOLUME_SOURCE)),
        required("name", Text),
        field("nfs", Kind::Object(&NFSVOLUME_SOURCE)),
        field("persistentVolumeClaim", Kind::Object(&PERSISTENT_VOLUME_CLAIM_VOLUME_SOURCE)),
        field("photonPersistentDisk", Kind::Object(&PHOTON_PERSISTENT_DISK_VOLUME_SOURCE)),
        field("portworxVolume", Kind::Object(&PORTWORX_VOLUME_SOURCE)),
        field("projected", Kind::Object(&PROJECTED_VOLUME_SOURCE)),
        field("quobyte", Kind::Object(&QUOBYTE_VOLUME_SOURCE)),
        field("rbd", Kind::Object(&RBDVOLUME_SOURCE)),
        field("scaleIO", Kind::Object(&SCALE_IOVOLUME_SOURCE)),
        field("secret", Kind::Object(&SECRET_VOLUME_SOURCE)),
        field("storageos", Kind::Object(&STORAGE_OSVOLUME_SOURCE)),
        field("vsphereVolume", Kind::Object(&VSPHERE_VIRTUAL_DISK_VOLUME_SOURCE)),
    ],
};
pub(super) static VOLUME_DEVICE: Object = Object {
    name: "VolumeDevice",
    fields: &[
        required("devicePath", Text),
        required("name", Text),
    ],
};
pub(super) static VOLUME_MOUNT: Object = Object {
    name: "VolumeMount",
    fields: &[
        required("mountPath", Text),
        field("mountPropagation", Kind::Words(&Words(&["Bidirectional", "HostToContainer", "None"]))),
        required("name", Text),
        field("readOnly", Boolean),
        field("recursiveReadOnly", Text),
        field("subPath", Text),
        field("subPathExpr", Text),
    ],
};
pub(super) static VOLUME_PROJECTION: Object = Object {
    name: "VolumeProjection",
    fields: &[
        field("clusterTrustBundle", Kind::Object(&CLUSTER_TRUST_BUNDLE_PROJECTION)),
        field("configMap", Kind::Object(&CONFIG_MAP_PROJECTION)),
        field("downwardAPI", Kind::Object(&DOWNWARD_APIPROJECTION)),
        field("podCertificate", Kind::Object(&POD_CERTIFICATE_PROJECTION)),
        field("secret", Kind::Object(&SECRET_PROJECTION)),
        field("serviceAccountToken", Kind::Object(&SERVICE_ACCOUNT_TOKEN_PROJECTION)),
    ],
};
pub(super) static VOLUME_RESOURCE_REQUIREMENTS: Object = Object {
    name: "VolumeResourceRequirements",
    fields: &[
        field("limits", Kind::Map(&Quantity)),
        field("requests", Kind::Map(&Quantity)),
    ],
};
pub(super) static VSPHERE_VIRTUAL_DISK_VOLUME_SOURCE: Object = Object {
    name: "VsphereVirtualDiskVolumeSource",
    fields: &[
        field("fsType", Text),
        field("storagePolicyID", Text),
        field("storagePolicyName", Text),
        required("volumePath", Text),
    ],
};
pub(super) static WEIGHTED_POD_AFFINITY_TERM: Object = Object {
    name: "WeightedPodAffinityTerm",
    fields: &[
        required("podAffinityTerm", Kind::Object(&POD_AFFINITY_TERM)),
        required("weight", Int32),
    ],
};
pub(super) static WINDOWS_SECURITY_CONTEXT_OPTIONS: Object = Object {
    name: "WindowsSecurityContextOptions",
    fields: &[
        field("gmsaCredentialSpec", Text),
        field("gmsaCredentialSpecName", Text),
        field("hostProcess", Boolean),
        field("runAsUserName", Text),
    ],
};
