//! How long each stage took: on standard error, and only when asked for.
use crate::outcome::Failure;
use std::io;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::{self, format::FmtSpan, format::JsonFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// The variable that asks for more or less, as `tfjob_lang=debug`.
const VARIABLE: &str = "TFJOB_LOG";

/// Starts to write if `--timings` or `TFJOB_LOG` asks for it.
///
/// # Errors
/// For a value of `TFJOB_LOG` that cannot be read.
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
    // The format goes without the time of day; the layer's own `without_time` would leave out the durations too.
    let format = fmt::format().json().without_time();
    let lines = fmt::layer()
        .fmt_fields(JsonFields::new())
        .event_format(format)
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(io::stderr);
    tracing_subscriber::registry().with(lines.with_filter(wanted)).init();
    Ok(())
}
