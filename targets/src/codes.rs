//! Every code that a target raises by a rule of its own, one line each.
tfjob_lang::codes! {
    // More than one target.
    Error BAD_OPTION "bad-option";
    Error BAD_PATCH "bad-patch";

    // DC/OS.
    Error MISSING_OPTION "missing-option";
    Error IDLE_OPTION "idle-option";
    Error LONG_TEXT "long-text";

    // YARN.
    Error LONG_HOSTNAME "long-hostname";
    Warning SHARED_PORT "shared-port";
}
