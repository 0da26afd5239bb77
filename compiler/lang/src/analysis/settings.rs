//! Applies the settings of the project file and of the command line to a merged spec.
use super::{Collector, Request, texts};
use crate::diagnostic::Diagnostic;
use crate::sources::{Format, Sources};
use crate::tree::Tree;
use crate::{merge, shape};

/// Applies the settings to a tree. The settings of one file must set different fields. Of several settings on a command line, the last one
/// counts.
pub(super) fn apply(
    request: &Request<'_>,
    tree: &mut Tree,
    sources: &mut Sources,
    out: &mut Vec<Diagnostic>,
) {
    if request.set.is_empty() {
        return;
    }
    // A name that seems to be absent may be in a skipped part of the spec.
    let read = Collector::new(Vec::new(), shape::skipped(tree, request.registry.jobs), Vec::new());
    let of_project = request.project.map_or(0, |(_, count)| count);
    // The offsets of the first setting of the project file, and of the first other one.
    let mut first = [None; 2];
    for (position, setting) in request.set.iter().enumerate() {
        let number = sources.add(texts::setting_name(request, position), Format::Set, setting.as_str());
        let source = sources.get(number).clone();
        let is_other = position >= of_project;
        let of_file = !is_other || request.settings_file.is_some();
        let once = of_file.then(|| *first[usize::from(is_other)].get_or_insert(source.base()));
        let told = merge::set(tree, request.registry.jobs, &source, sources, once);
        out.extend(told.into_iter().filter(|found| read.is_valid(found)));
    }
}
