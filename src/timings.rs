//! Durations of the stages, on standard error, with `--timings` or `TFJOB_LOG`.
use crate::outcome::Failure;
use std::io;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::{self, format::FmtSpan, format::JsonFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Environment variable that selects the events, such as `tfjob_lang=debug`.
const VARIABLE: &str = "TFJOB_LOG";

/// Enables the output if `timings` or `TFJOB_LOG` is set.
///
/// # Errors
/// Returns an error if the value of `TFJOB_LOG` is invalid.
pub fn start(timings: bool) -> Result<(), Failure> {
    let wanted = match std::env::var(VARIABLE) {
        Ok(words) if !words.is_empty() => {
            words.parse::<Targets>().map_err(|error| Failure::new(format!("{VARIABLE}: {error}")))?
        }
        _ if timings => ["tfjob", "tfjob_lang", "tfjob_targets"].iter().fold(Targets::new(), |all, name| {
            all.with_target(*name, tracing_subscriber::filter::LevelFilter::TRACE)
        }),
        _ => return Ok(()),
    };
    // `without_time` is set on the format, to omit the time of day. On the layer, it would also remove the durations.
    let format = fmt::format().json().without_time();
    let lines = fmt::layer()
        .fmt_fields(JsonFields::new())
        .event_format(format)
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(io::stderr);
    tracing_subscriber::registry().with(lines.with_filter(wanted)).init();
    Ok(())
}
