//! Checks of annotations of Argo CD in a job with the option `argocd`.
use crate::kubernetes::options::Options;
use crate::pod::context::Context;
use crate::pod::lower::{HOOK, HOOK_DELETE, WAVE};
use crate::pod::rules::bad;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::spec::values::Text;

/// Annotation with options of Argo CD for one object.
const SYNC_OPTIONS: &str = "argocd.argoproj.io/sync-options";

/// The annotations that the option `argocd` sets, or contradicts.
pub const KEYS: [&str; 4] = [WAVE, HOOK, HOOK_DELETE, SYNC_OPTIONS];

/// Returns why a job with `argocd` must not have an annotation. `None` if it may. The text follows the key of the annotation.
pub fn fault(key: &str, value: &str) -> Option<&'static str> {
    match key {
        WAVE | HOOK | HOOK_DELETE => {
            Some("is set by `argocd`, which also sets it for the ConfigMap of the job")
        }
        SYNC_OPTIONS if value.split(',').any(|option| option.trim() == "Prune=false") => {
            Some("contains `Prune=false`: Argo CD would not delete the old job, so both jobs would run")
        }
        _ => None,
    }
}

/// Returns the errors of the annotations of a job with `argocd`.
pub fn judge(context: &Context<'_>, options: &Options) -> Vec<Diagnostic> {
    if options.argocd.is_none() {
        return Vec::new();
    }
    let found = |key: &At<String>, value: &At<Text>| {
        let why = fault(&key.value, value.value.as_str())?;
        let help = "remove the annotation; `argocd wave=1` sets a wave, and `argocd hook=\"Sync\"` a hook";
        Some(bad(context, key.span, &format!("`{}` {why}", key.value), help))
    };
    options.annotations.0.iter().filter_map(|(key, value)| found(key, value)).collect()
}
