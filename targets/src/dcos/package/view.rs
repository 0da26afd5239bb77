//! What one task sees.
use crate::dcos::Dcos;
use tfjob_lang::lowered::TaskView;
use tfjob_lang::target::Site;

/// The package's own program sets what a task sees; it has never been published.
pub fn view(site: &Site<Dcos>) -> TaskView {
    let module = site.job.module.as_ref().map_or("", |m| m.value.as_str());
    TaskView {
        argv: vec![format!("{module}.main(server, log_dir, context)")],
        rendezvous: "the package's own program, as a started tf.train.Server".to_owned(),
        ..TaskView::default()
    }
}
