//! Images that are selected by digest. A digest identifies one manifest of schema 2. Mesos supports schema 2 since Mesos 1.8
//! (MESOS-6934), the version in DC/OS 1.13. An older Mesos requests schema 1. A registry can convert a manifest to schema 1 if the
//! image is requested by tag, but not by digest. So an older Mesos cannot pull an image by digest.
use super::Dcos;
use crate::patch::Merged;
use tfjob_lang::spec::values::Image;
use tfjob_lang::target::{Site, Support};

/// The first version of DC/OS whose agents pull an image by its digest.
const DIGESTS: (u32, u32) = (1, 13);
const WHY: &str = "before DC/OS 1.13, Mesos cannot pull an image by digest: it requests a schema 1 manifest, which registries provide only for tags";
const HELP: &str =
    "use a tag, or add `version \"1.13\"` or later to `target \"dcos\"` if the cluster runs it";

/// Refuses an image by digest if the agents of this DC/OS version cannot pull it.
pub(super) fn refused<M>(image: &Image, site: &Site<Dcos>) -> Option<Support<M>> {
    (image.digest.is_some() && !site.job.is_since(DIGESTS))
        .then(|| Support::impossible(WHY, HELP, "Mesos 1.7.0, uri/fetchers/docker.cpp"))
}

/// Refuses an image by digest at the JSON pointer `at`, if a patch sets this image, and if the agents of this DC/OS version cannot
/// pull it.
pub(super) fn patched(merged: &mut Merged<'_>, at: &str, site: &Site<Dcos>) {
    let digest = merged.at(at).as_str().is_some_and(|image| image.contains('@'));
    if digest && merged.wrote(at) && !site.job.is_since(DIGESTS) {
        merged.fault_in_patch(&[at], &format!("{WHY}; {HELP}"));
    }
}
