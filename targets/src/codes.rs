//! Every code that a target raises by a rule of its own, one line each.
tfjob_lang::codes! {
    // Kubernetes.
    Error BAD_OPTION "bad-option";
}
