//! Every code that a target raises by a rule of its own, one line each.
tfjob_lang::codes! {
    // More than one target.
    Error BAD_PATCH "bad-patch";
    Warning PATCH_OVERRIDES "patch-overrides";
    Warning PATCH_UNCHECKED "patch-unchecked";
    Error MISSING_OPTION "missing-option";
    Warning LONE_SECRET "lone-secret";
    Warning FINISHED_PEERS "finished-peers";
    Warning ROUNDED_UP "rounded-up";
    Warning UNDELIVERED_FILE "undelivered-file";

    // Kubernetes.
    Warning ROOT_IMAGE "root-image";
    Warning SMALL_DISK "small-disk";
    Warning OUTSIDE_QUOTA "outside-quota";
    Warning RESTARTED_DEADLINE "restarted-deadline";
    Warning LASTING_SIDECAR "lasting-sidecar";

    // YARN.
    Error LONG_HOSTNAME "long-hostname";
    Warning SHARED_PORT "shared-port";
    Warning MAYBE_DIRECTORY "maybe-directory";
    Warning QUEUE_PATH "queue-path";

    // Spark.
    Warning IDLE_GPUS "idle-gpus";
    Error SPARK_MISSING_IMAGE "spark-missing-image";
    Error SPARK_FEED "spark-feed";
    Error SPARK_SETTING_OWNED "spark-setting-owned";
    Error SPARK_SETTING_UNKNOWN "spark-setting-unknown";
    Warning SPARK_SETTING_OVERRIDDEN "spark-setting-overridden";
    Warning SPARK_SETTING_UNCHECKED "spark-setting-unchecked";
    Error SPARK_SETTING_VALUE "spark-setting-value";
}
