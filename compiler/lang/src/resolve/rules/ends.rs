//! Restarts that contradict themselves.
use super::Job;
use crate::codes::{STRAY_TERMS, UNWATCHED_STALLS};
use crate::diagnostic::Diagnostic;
use crate::spec::RestartOn;

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let unwatched = match &job.plan.storage.checkpoints {
        Some(checkpoints) => checkpoints.at.is_none() && !job.torn("checkpoints"),
        None => !job.lost(&["checkpoints"]),
    };
    for (written, _) in job.roles() {
        let Some(restart) = &written.restart else { continue };
        let r = &restart.value;
        let durations = [&r.within, &r.backoff, &r.max_backoff, &r.min_uptime];
        let terms = durations
            .into_iter()
            .flatten()
            .map(|d| d.span)
            .chain(r.limit.as_ref().map(|l| l.span))
            .chain(r.stalls.as_ref().map(|s| s.span))
            .chain(r.codes.first().map(|c| c.span));
        if r.on.value == RestartOn::Never
            && !job.doubts.guessed(r.on.span)
            && let Some(first) = terms.min()
        {
            out.push(
                Diagnostic::new(&STRAY_TERMS, first, "nothing is restarted, so this is never used")
                    .here("no meaning with `never`")
                    .label(r.on.span, "never")
                    .help("write `restart \"on-failure\"`, or remove it"),
            );
        }
        if let Some(stalls) = r.stalls.as_ref().filter(|_| unwatched) {
            out.push(
                Diagnostic::new(
                    &UNWATCHED_STALLS,
                    stalls.span,
                    "no task can see whether a checkpoint is newer",
                )
                .here("needs checkpoints at a path")
                .help("write `checkpoints \"…\" at=\"/ckpt\"`, or remove `stalls`"),
            );
        }
        if let (Some(first), Some(longest)) = (&r.backoff, &r.max_backoff)
            && longest.value.seconds() < first.value.seconds()
            && !job.doubts.guessed(first.span)
        {
            out.push(
                Diagnostic::new(&STRAY_TERMS, longest.span, "the longest pause is shorter than the first")
                    .here("shorter")
                    .label(first.span, "the first")
                    .help("`max-backoff` is at least `backoff`"),
            );
        }
    }
}
