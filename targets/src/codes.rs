//! Codes of the diagnostics that come from targets, not from the language.
tfjob_lang::codes! {
    // Codes that more than one target reports.
    Error BAD_PATCH "bad-patch";
    Warning PATCH_OVERRIDES "patch-overrides";
    Warning PATCH_UNCHECKED "patch-unchecked";
    Error MISSING_OPTION "missing-option";
    Warning FINISHED_PEERS "finished-peers";
    Warning ROUNDED_UP "rounded-up";
    Warning UNDELIVERED_FILE "undelivered-file";

    // Codes that only `kubernetes` reports.
    Warning ROOT_IMAGE "root-image";
    Warning DISK_TOO_SMALL "disk-too-small";
    Warning OUTSIDE_QUOTA "outside-quota";
    Warning DEADLINE_RESTARTS "deadline-restarts";
    Warning SIDECAR_NEVER_EXITS "sidecar-never-exits";
    Warning UNMAPPED_GPU_MODEL "unmapped-gpu-model";

    // Codes that only `yarn` reports.
    Error HOSTNAME_TOO_LONG "hostname-too-long";
    Warning PORT_CONFLICT "port-conflict";
    Warning AMBIGUOUS_DIRECTORY "ambiguous-directory";
    Warning QUEUE_PATH "queue-path";

    // Codes that only `spark` reports.
    Warning UNUSED_GPUS "unused-gpus";
    Error SPARK_MISSING_IMAGE "spark-missing-image";
    Error SPARK_FEED "spark-feed";
    Error SPARK_SETTING_RESERVED "spark-setting-reserved";
    Error SPARK_SETTING_UNKNOWN "spark-setting-unknown";
    Warning SPARK_SETTING_OVERRIDDEN "spark-setting-overridden";
    Warning SPARK_SETTING_UNCHECKED "spark-setting-unchecked";
    Error SPARK_SETTING_VALUE "spark-setting-value";
}
