//! Checks of annotations of Argo CD in a job with the option `argocd`.
use crate::kubernetes::options::Options;
use crate::pod::context::Context;
use crate::pod::lower::{HOOK, HOOK_DELETE, WAVE};
use crate::pod::rules::bad;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::spec::values::Text;

/// Annotation with options of Argo CD for one object.
pub const SYNC_OPTIONS: &str = "argocd.argoproj.io/sync-options";

/// Prefix of the annotations that make an object a hook of Helm. Argo CD reads them, too.
const HELM_HOOK: &str = "helm.sh/hook";

/// Options of a synchronization with which Argo CD does not delete the old job before it creates the new one.
const OVERLAPPING: [&str; 3] = ["Prune=false", "Prune=confirm", "PruneLast=true"];

/// Options that a job must not have together with `Force=true`, each with the effect.
const FORCED: [(&str, &str); 2] = [
    (
        "Replace=true",
        "Argo CD would delete the job and create it again at each change of its manifest, also a finished one",
    ),
    (
        "ServerSideApply=true",
        "the synchronization would fail, because Argo CD cannot force a server-side apply",
    ),
];

/// Annotation of Flux: if the API server rejects a changed job, Flux deletes the job and creates it again. If the job gets a new name, Flux
/// creates it before it deletes the old one.
pub const FLUX_FORCE: &str = "kustomize.toolkit.fluxcd.io/force";

/// The annotations that the option `argocd` sets, or contradicts.
pub const KEYS: [&str; 6] = [WAVE, HOOK, HOOK_DELETE, SYNC_OPTIONS, HELM_HOOK, FLUX_FORCE];

/// Why a job with `argocd` must not have an annotation.
pub struct Fault {
    /// The reason. The text follows the key of the annotation.
    pub why: String,
    /// What to do.
    pub help: &'static str,
}

/// Returns why a job with `argocd` must not have an annotation. `None` if it may. `is_hook`: with `argocd hook=…`.
pub fn fault(key: &str, value: &str, is_hook: bool) -> Option<Fault> {
    match key {
        WAVE | HOOK | HOOK_DELETE | HELM_HOOK => Some(Fault {
            why: "is set by `argocd`, which also sets it for the ConfigMap of the job".to_owned(),
            help: "remove the annotation; `argocd wave=1` sets a wave, and `argocd hook=\"Sync\"` a hook",
        }),
        FLUX_FORCE if !is_hook && value.trim().eq_ignore_ascii_case("enabled") => Some(Fault {
            why: "is for Flux, and `argocd` for Argo CD: Flux would create the job with the new name before it deletes the old one, so \
                  both would run"
                .to_owned(),
            help: "remove `argocd`; or remove the annotation if Argo CD applies the job",
        }),
        SYNC_OPTIONS if !is_hook => {
            let options = || value.split(',').map(str::trim);
            let forced = FORCED.iter().find(|(other, _)| {
                ["Force=true", other].iter().all(|wanted| options().any(|option| option == *wanted))
            });
            if let Some((other, effect)) = forced {
                let why = format!("contains `Force=true` and `{other}`: {effect}");
                return Some(Fault { why, help: "remove both options" });
            }
            let option = options().find(|option| OVERLAPPING.contains(option))?;
            let why = format!(
                "contains `{option}`: Argo CD would not delete the old job before it creates the new one, so both would run"
            );
            Some(Fault { why, help: "remove the option" })
        }
        _ => None,
    }
}

/// Returns the errors of the annotations of a job with `argocd`.
pub fn judge(context: &Context<'_>, options: &Options) -> Vec<Diagnostic> {
    let Some(argocd) = &options.argocd else { return Vec::new() };
    let found = |key: &At<String>, value: &At<Text>| {
        let fault = fault(&key.value, value.value.as_str(), argocd.value.hook.is_some())?;
        Some(bad(context, key.span, &format!("`{}` {}", key.value, fault.why), fault.help))
    };
    options.annotations.0.iter().filter_map(|(key, value)| found(key, value)).collect()
}
