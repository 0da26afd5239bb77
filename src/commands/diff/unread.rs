//! Submodules that are read in at most one of the versions: their jobs are neither new nor removed.
use super::place::Place;
use super::sides::Side;
use crate::files::Revision;
use std::path::Path;

/// Removes the specs of the repositories that are not compared from both versions.
pub fn exclude(old: &Revision, new: &Place, before: &mut Side, after: &mut Side) {
    let all = after.uncompared.clone();
    if all.is_empty() {
        return;
    }
    let is_compared = |path: &Path| !all.iter().any(|one| path.starts_with(&one.path));
    before.retain(&mut |spec| old.below(spec).is_none_or(|path| is_compared(&path)));
    after.retain(&mut |spec| {
        let below = new.revision().map_or_else(|| old.below_top(spec), |new| new.below(spec));
        below.is_none_or(|path| is_compared(&path))
    });
}
