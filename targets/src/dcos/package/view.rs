//! The command of one task, for `tfjob show`.
use crate::dcos::Dcos;
use tfjob_lang::lowered::TaskView;
use tfjob_lang::target::Site;

/// Returns the call of `main` of the module as the command of the task. The environment is unknown, because a wrapper of the
/// package sets it, and the source of the wrapper is not public.
pub fn view(site: &Site<Dcos>) -> TaskView {
    let module = site.job.module.as_ref().map_or("", |m| m.value.as_str());
    TaskView {
        argv: vec![format!("{module}.main(server, log_dir, context)")],
        rendezvous: "the TensorFlow package, as a started tf.train.Server".to_owned(),
        ..TaskView::default()
    }
}
