//! Every code that the language alone can raise, one line each.
crate::codes! {
    // Text and syntax: raised by `syntax`.
    Error SYNTAX "syntax";
    Error TOO_LARGE "too-large";
    Error TOO_DEEP "too-deep";
    Error FOREIGN_FORMAT "foreign-format";
    Error FORBIDDEN_CHARACTER "forbidden-character";
    Error UNBALANCED_BRACES "unbalanced-braces";
    Error UNCLOSED "unclosed";
    Error BARE_TEXT "bare-text";
    Error BARE_KEYWORD "bare-keyword";
    Error BARE_URI "bare-uri";
    Error BARE_VARIABLE "bare-variable";
    Error FOREIGN_QUOTES "foreign-quotes";
    Error COLON_AFTER_NAME "colon-after-name";
    Error EQUALS_SIGN "equals-sign";
    Error DASH_ITEM "dash-item";
    Error SQUARE_BRACKETS "square-brackets";
    Error COMMA "comma";
    Error HASH_COMMENT "hash-comment";
    Error KDL_VERSION_1 "kdl-version-1";
    Error FLAG_PROPERTY "flag-property";
    Error REPEATED_PROPERTY "repeated-property";
    Error TYPE_ANNOTATION "type-annotation";
    Error BAD_ESCAPE "bad-escape";
    Error MULTI_LINE_TEXT "multi-line-text";
    Error BAD_NUMBER "bad-number";
    Error REPEATED_KEY "repeated-key";
    Error AMBIGUOUS_SCALAR "ambiguous-scalar";
    Error YAML_FEATURE "yaml-feature";

    // Fields and values: raised by `shape` and `merge`.
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
    Error SURPLUS_ARGUMENT "surplus-argument";
    Error SURPLUS_BLOCK "surplus-block";
    Error SECRET_VALUE "secret-value";
    Error REPEATED_NODE "repeated-node";
    Error BAD_SETTING "bad-setting";

    // Files that build on others: raised by `analysis`.
    Error EXTENDS_CYCLE "extends-cycle";
    Error UNREADABLE_BASE "unreadable-base";

    // The job as a whole: raised by `resolve`.
    Error UNKNOWN_ROLE "unknown-role";
    Error TOO_MANY_TASKS "too-many-tasks";
    Error MISSING_ROLE "missing-role";
    Error MISSING_STRATEGY "missing-strategy";
    Error STRATEGY_ELSEWHERE "strategy-elsewhere";
    Error STRATEGY_ALONE "strategy-alone";
    Error ROLE_OUTSIDE_STRATEGY "role-outside-strategy";
    Error GONE_STRATEGY "gone-strategy";
    Error PROTOCOL_NEEDS_BUILD "protocol-needs-build";
    Error REPEATED_NAME "repeated-name";
    Error UNKNOWN_FEATURE "unknown-feature";
    Error TWO_COMMANDS "two-commands";
    Error MISSING_COMMAND "missing-command";
    Error UNSPLIT_COMMAND "unsplit-command";
    Warning LAUNCHER_PER_TASK "launcher-per-task";
    Warning LOST_EXIT_CODE "lost-exit-code";
    Warning UNREAD_WORD "unread-word";
    Warning UNUSED_DECLARATION "unused-declaration";
    Error OWNED_VARIABLE "owned-variable";
    Error REPEATED_VARIABLE "repeated-variable";
    Warning SHADOWED_VARIABLE "shadowed-variable";
    Warning LITERAL_SECRET "literal-secret";
    Error UNKNOWN_SECRET "unknown-secret";
    Error REPEATED_PATH "repeated-path";
    Warning NESTED_PATH "nested-path";
    Error MISSING_REFERENCE "missing-reference";
    Error STRAY_REFERENCE "stray-reference";
    Warning BRANCH_REFERENCE "branch-reference";
    Error UNSHARED_CHECKPOINTS "unshared-checkpoints";
    Error UNFIT_URI "unfit-uri";
    Warning MAYBE_ARCHIVE "maybe-archive";
    Warning HDFS_WITHOUT_HADOOP "hdfs-without-hadoop";
    Warning NO_FILE_SYSTEM "no-file-system";
    Warning NO_RENDEZVOUS_SERVER "no-rendezvous-server";
    Error NOWHERE_TO_LOOK "nowhere-to-look";
    Error MISSING_RESOURCES "missing-resources";
    Error GPUS_WITHOUT_COUNT "gpus-without-count";
    Warning UNEQUAL_GPUS "unequal-gpus";
    Warning PROXIED_PEERS "proxied-peers";
    Error MIN_OVER_COUNT "min-over-count";
    Error REPEATED_PORT "repeated-port";
    Error BAD_PROBE "bad-probe";
    Error UNKNOWN_PORT "unknown-port";
    Warning FLOATING_IMAGE "floating-image";
    Error STRAY_TERMS "stray-terms";
    Warning PEER_NOT_RESTARTED "peer-not-restarted";
    Error UNWATCHED_STALLS "unwatched-stalls";
    Error START_CYCLE "start-cycle";
    Error UNKNOWN_ROLE_AFTER "unknown-role-after";
    Warning AWAITED_SERVER "awaited-server";
    Error WAITS_FOR_EVER "waits-for-ever";
    Error BAD_REFERENCE "bad-reference";
    Error UNKNOWN_REFERENCE "unknown-reference";

    // The cluster: raised by `cluster`.
    Error OTHER_PLATFORM "other-platform";
    Error NO_FITTING_NODE "no-fitting-node";
    Error NO_ROOM "no-room";
    Warning UNPROVEN_PLACEMENT "unproven-placement";
    Error UNKNOWN_QUEUE "unknown-queue";
    Error FULL_QUEUE "full-queue";
    Error OVER_LIMIT "over-limit";
    Error UNKNOWN_GPU_MODEL "unknown-gpu-model";
    Error SHORT_GRACE "short-grace";
    Warning FOREIGN_REGISTRY "foreign-registry";

    // Words of a platform: raised by its target, and for the cluster's own by `cluster`.
    Error BAD_OPTION "bad-option";
    Error IDLE_OPTION "idle-option";

    // The gate: raised by `target`.
    Error FEATURE_REFUSED "feature-refused";
    Warning FEATURE_ALLOWED "feature-allowed";
    Warning FEATURE_IGNORED "feature-ignored";
    Note FEATURE_EMULATED "feature-emulated";
    Warning UNNEEDED_ALLOW "unneeded-allow";
    Warning UNSHARED_RESTART "unshared-restart";
    Error SHIM_BEHIND "shim-behind";
    Error LONG_TEXT "long-text";
}

/// Role errors of a framework, hidden when no requested target supports it.
pub static OF_FRAMEWORK: &[&crate::diagnostic::Code] = &[
    &UNKNOWN_ROLE,
    &TOO_MANY_TASKS,
    &MISSING_ROLE,
    &MISSING_STRATEGY,
    &STRATEGY_ELSEWHERE,
    &STRATEGY_ALONE,
    &ROLE_OUTSIDE_STRATEGY,
    &GONE_STRATEGY,
    &WAITS_FOR_EVER,
];
