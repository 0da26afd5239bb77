//! Every code that the language alone can raise, one line each.
crate::codes! {
    // Text and syntax: raised by `syntax`.
    Error SYNTAX "syntax";
    Error TOO_LARGE "too-large";
    Error TOO_DEEP "too-deep";
    Error FORBIDDEN_CHARACTER "forbidden-character";

    // Fields and values: raised by `shape`.
    Error UNKNOWN_NODE "unknown-node";

    // The job as a whole: raised by `resolve`.
    Error UNKNOWN_ROLE "unknown-role";

    // The gate: raised by `target`.
    Error FEATURE_REFUSED "feature-refused";
}
