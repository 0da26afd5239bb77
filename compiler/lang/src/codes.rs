//! The codes of all diagnostics that do not depend on the platform.
crate::codes! {
    // Codes about text and syntax. `syntax` reports them.
    Error SYNTAX "syntax";
    Error TOO_LARGE "too-large";
    Error TOO_DEEP "too-deep";
    Error UNSUPPORTED_FORMAT "unsupported-format";
    Error FORBIDDEN_CHARACTER "forbidden-character";
    Error UNBALANCED_BRACES "unbalanced-braces";
    Error UNCLOSED "unclosed";
    Error BARE_TEXT "bare-text";
    Error BARE_KEYWORD "bare-keyword";
    Error BARE_URI "bare-uri";
    Error BARE_VARIABLE "bare-variable";
    Error WRONG_QUOTES "wrong-quotes";
    Error COLON_AFTER_NAME "colon-after-name";
    Error EQUALS_SIGN "equals-sign";
    Error DASH_ITEM "dash-item";
    Error SQUARE_BRACKETS "square-brackets";
    Error COMMA "comma";
    Error HASH_COMMENT "hash-comment";
    Error KDL_VERSION_1 "kdl-version-1";
    Error FLAG_PROPERTY "flag-property";
    Error DUPLICATE_PROPERTY "duplicate-property";
    Error TYPE_ANNOTATION "type-annotation";
    Error BAD_ESCAPE "bad-escape";
    Error MULTI_LINE_TEXT "multi-line-text";
    Error BAD_NUMBER "bad-number";
    Error DUPLICATE_KEY "duplicate-key";
    Error AMBIGUOUS_SCALAR "ambiguous-scalar";
    Error YAML_FEATURE "yaml-feature";

    // Codes about fields and values. `shape` and `merge` report them.
    Error UNKNOWN_NODE "unknown-node";
    Error UNKNOWN_PROPERTY "unknown-property";
    Error UNKNOWN_KEY "unknown-key";
    Error UNKNOWN_TARGET "unknown-target";
    Error UNKNOWN_VALUE "unknown-value";
    Error MISPLACED_FIELD "misplaced-field";
    Error MISSING_FIELD "missing-field";
    Error MISSING_VALUE "missing-value";
    Error WRONG_TYPE "wrong-type";
    Error BAD_VALUE "bad-value";
    Error OUT_OF_RANGE "out-of-range";
    Error EXTRA_ARGUMENT "extra-argument";
    Error UNEXPECTED_BLOCK "unexpected-block";
    Error SECRET_VALUE "secret-value";
    Error DUPLICATE_NODE "duplicate-node";
    Error BAD_SETTING "bad-setting";

    // Codes about files that extend other files. `analysis` reports them.
    Error EXTENDS_CYCLE "extends-cycle";
    Error UNREADABLE_BASE "unreadable-base";

    // A code about an output file. `tfjob compile --check` reports it.
    Error OUTDATED_OUTPUT "outdated-output";

    // Codes of the rules about the whole job. `resolve` reports them.
    Error UNKNOWN_ROLE "unknown-role";
    Error TOO_MANY_TASKS "too-many-tasks";
    Error MISSING_ROLE "missing-role";
    Error MISSING_STRATEGY "missing-strategy";
    Error STRATEGY_FRAMEWORK_MISMATCH "strategy-framework-mismatch";
    Error SINGLE_PROCESS_STRATEGY "single-process-strategy";
    Error ROLE_OUTSIDE_STRATEGY "role-outside-strategy";
    Error REMOVED_STRATEGY "removed-strategy";
    Error PROTOCOL_NEEDS_BUILD "protocol-needs-build";
    Error DUPLICATE_NAME "duplicate-name";
    Error UNKNOWN_FEATURE "unknown-feature";
    Warning UNEXPLAINED_ALLOW "unexplained-allow";
    Error CONFLICTING_COMMANDS "conflicting-commands";
    Error MISSING_COMMAND "missing-command";
    Error UNSPLIT_COMMAND "unsplit-command";
    Warning LAUNCHER_PER_TASK "launcher-per-task";
    Warning LOST_EXIT_CODE "lost-exit-code";
    Warning UNEXPANDED_SYNTAX "unexpanded-syntax";
    Warning UNUSED_DECLARATION "unused-declaration" unnecessary;
    Error RESERVED_VARIABLE "reserved-variable";
    Error DUPLICATE_VARIABLE "duplicate-variable";
    Warning SHADOWED_VARIABLE "shadowed-variable";
    Warning LITERAL_SECRET "literal-secret";
    Error UNKNOWN_SECRET "unknown-secret";
    Error MISSING_SECRET "missing-secret";
    Error DUPLICATE_PATH "duplicate-path";
    Warning NESTED_PATH "nested-path";
    Error MISSING_REFERENCE "missing-reference";
    Error UNEXPECTED_REFERENCE "unexpected-reference";
    Warning BRANCH_REFERENCE "branch-reference";
    Error UNSHARED_CHECKPOINTS "unshared-checkpoints";
    Error UNSUPPORTED_URI "unsupported-uri";
    Warning AMBIGUOUS_ARCHIVE "ambiguous-archive";
    Warning HDFS_WITHOUT_HADOOP "hdfs-without-hadoop";
    Warning UNSUPPORTED_FILE_SYSTEM "unsupported-file-system";
    Warning NO_RENDEZVOUS_SERVER "no-rendezvous-server";
    Error MISSING_LOG_DIRECTORY "missing-log-directory";
    Error MISSING_RESOURCES "missing-resources";
    Error GPUS_WITHOUT_COUNT "gpus-without-count";
    Warning UNEQUAL_GPUS "unequal-gpus";
    Warning PROXIED_PEERS "proxied-peers";
    Error MIN_EXCEEDS_COUNT "min-exceeds-count";
    Error DUPLICATE_PORT "duplicate-port";
    Error BAD_PROBE "bad-probe";
    Error UNKNOWN_PORT "unknown-port";
    Warning UNPINNED_IMAGE "unpinned-image";
    Error UNUSED_SETTING "unused-setting" unnecessary;
    Warning PEER_NOT_RESTARTED "peer-not-restarted";
    Error UNWATCHED_PROGRESS "unwatched-progress";
    Error START_CYCLE "start-cycle";
    Error UNKNOWN_ROLE_AFTER "unknown-role-after";
    Warning LONG_RUNNING_ROLE "long-running-role";
    Error WAITS_FOREVER "waits-forever";
    Error BAD_REFERENCE "bad-reference";
    Error UNKNOWN_REFERENCE "unknown-reference";

    // Codes about the cluster file. `cluster` reports them.
    Error TARGET_MISMATCH "target-mismatch";
    Error NO_MATCHING_NODE "no-matching-node";
    Error INSUFFICIENT_CAPACITY "insufficient-capacity";
    Warning UNDETERMINED_PLACEMENT "undetermined-placement";
    Error UNKNOWN_QUEUE "unknown-queue";
    Error QUEUE_CAPACITY_EXCEEDED "queue-capacity-exceeded";
    Error LIMIT_EXCEEDED "limit-exceeded";
    Error UNKNOWN_GPU_MODEL "unknown-gpu-model";
    Error GRACE_EXCEEDS_LIMIT "grace-exceeds-limit";
    Warning UNLISTED_REGISTRY "unlisted-registry";
    Warning OTHER_NAMESPACE "other-namespace";

    // Codes about target options. The target reports them; for a cluster file, `cluster` reports them.
    Error BAD_OPTION "bad-option";
    Error UNUSED_OPTION "unused-option" unnecessary;

    // Codes about the support of a target for the job. `target` reports them.
    Error UNSUPPORTED_FEATURE "unsupported-feature";
    Warning ALLOWED_FEATURE "allowed-feature";
    Warning IGNORED_FEATURE "ignored-feature";
    Note EMULATED_FEATURE "emulated-feature";
    Note IGNORED_LOCALLY "ignored-locally";
    Warning UNUSED_ALLOW "unused-allow" unnecessary;
    Warning UNSHARED_RESTART "unshared-restart";
    Error UNSUPPORTED_BY_SHIM "unsupported-by-shim";
    Error TEXT_TOO_LONG "text-too-long";
}

/// Errors about the roles of a framework. They are not reported if none of the requested targets supports the framework.
pub static OF_FRAMEWORK: &[&crate::diagnostic::Code] = &[
    &UNKNOWN_ROLE,
    &TOO_MANY_TASKS,
    &MISSING_ROLE,
    &MISSING_STRATEGY,
    &STRATEGY_FRAMEWORK_MISMATCH,
    &SINGLE_PROCESS_STRATEGY,
    &ROLE_OUTSIDE_STRATEGY,
    &REMOVED_STRATEGY,
    &WAITS_FOREVER,
];
