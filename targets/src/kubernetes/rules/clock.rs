//! Checks the deadline of a job that Kueue may preempt and admit again.
use crate::codes::DEADLINE_RESTARTS;
use crate::kubernetes::Kubernetes;
use crate::kubernetes::queues::kueue;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Lifecycle, Requirement};
use tfjob_lang::target::Site;

/// Label with the maximum number of seconds for which Kueue admits a job. Kueue adds up the time before and after a preemption, so
/// unlike the deadline, this limit does not start from zero.
const ADMITTED: &str = "kueue.x-k8s.io/max-exec-time-seconds";

/// Warns of a deadline that starts again after a preemption. Kueue suspends the job, which deletes its Pods, and the operator
/// later sets `StartTime` again (`common/job.go` of 1.9.4).
pub fn judge(plan: &Plan, site: &Site<Kubernetes>) -> Option<Diagnostic> {
    let word = kueue(plan, &site.job)?;
    let limited = |requirement: &Requirement| matches!(requirement, Requirement::Job(Job::Label { key, .. }) if key == ADMITTED);
    if plan.requirements.iter().any(|required| limited(&required.requirement)) {
        return None;
    }
    let (seconds, at) = plan.requirements.iter().find_map(|required| {
        let Requirement::Lifecycle(Lifecycle::Deadline { seconds }) = required.requirement else {
            return None;
        };
        Some((seconds, required.at))
    })?;
    let fact = format!(
        "kubernetes: with {word}, `deadline` does not limit the total time: it starts again at zero each time Kueue preempts and readmits the job"
    );
    let help = format!(
        "add `labels {{ \"{ADMITTED}\" \"{seconds}\"; }}`: Kueue then counts the time of all admissions together, and suspends the job after {seconds} s"
    );
    Some(Diagnostic::new(&DEADLINE_RESTARTS, at, fact).here("counts from the last admission").help(help))
}
