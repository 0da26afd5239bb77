//! Images by their digest: that of a manifest of schema 2, which Mesos reads since 1.8 (MESOS-6934), in DC/OS 1.13. An older
//! Mesos asks for schema 1, to which a registry converts what a tag names, and nothing that a digest names.
use super::Dcos;
use crate::patch::Merged;
use tfjob_lang::spec::values::Image;
use tfjob_lang::target::{Site, Support};

/// The first version of DC/OS whose agents pull an image by its digest.
const DIGESTS: (u32, u32) = (1, 13);
const WHY: &str = "pulls no image by its digest before version 1.13: its Mesos asks for a manifest of schema 1, and registries convert none that is named by a digest";
const HELP: &str =
    "name the image by its tag, or add `version \"1.13\"` or newer to `target \"dcos\"` if the cluster is";

/// The refusal of an image that the agents cannot pull.
pub(super) fn refused<M>(image: &Image, site: &Site<Dcos>) -> Option<Support<M>> {
    (image.digest.is_some() && !site.job.is_since(DIGESTS))
        .then(|| Support::impossible(WHY, HELP, "Mesos 1.7.0, uri/fetchers/docker.cpp"))
}

/// Judges the image that a patch names there.
pub(super) fn patched(merged: &mut Merged<'_>, at: &str, site: &Site<Dcos>) {
    let digest = merged.at(at).as_str().is_some_and(|image| image.contains('@'));
    if digest && merged.wrote(at) && !site.job.is_since(DIGESTS) {
        merged.fault(&[at], &format!("DC/OS {WHY}: {HELP}"));
    }
}
