//! Image digests, in all entries of a spec that select an image.
use super::{REFUSED, marathon, package};
use crate::pitfalls::{Pitfall, Row, Seen, rows};

const PULLS: Seen = Seen::In("Mesos 1.7.0 and 1.8.0, uri/fetchers/docker.cpp, and issue MESOS-6934");
const DOES: &str = "Mesos requests a schema 1 manifest, but a digest identifies a schema 2 manifest, so every pull of the image fails";
const SAYS: &str = "before DC/OS 1.13, Mesos cannot pull an image by digest";

/// Returns all pitfalls of this file.
pub fn pitfalls() -> Vec<Pitfall> {
    let digest = format!("ml/a@sha256:{}", "0".repeat(64));
    let words: &'static str = Box::leak(format!("\"{digest}\"").into_boxed_str());
    let both = |name, spec: &dyn Fn(&str) -> String, words: &'static str| -> Row {
        (name, "", PULLS, DOES, spec("1.12"), words, SAYS, spec("1.13"))
    };
    let own = |version: &str| {
        let job = format!("target \"dcos\" {{ version \"{version}\"; }}");
        marathon(&job, "").replace("\"ml/mnist:1.0\"", words)
    };
    let line: &'static str =
        Box::leak(format!("tensorboard logs=\"hdfs://n/l\" image={words}").into_boxed_str());
    let board = |version: &str| {
        let block = format!("target \"dcos\" {{ version \"{version}\"; }}");
        marathon(&format!("{line}\n {block}"), "")
    };
    let packaged = |version: &str| {
        package("", "", &format!("version \"{version}\""))
            .replace("    role \"worker\"", &format!("    image {words}\n    role \"worker\""))
    };
    let told = rows(
        REFUSED,
        vec![
            both("an image digest before DC/OS 1.13", &own, words),
            both("an image digest of TensorBoard before DC/OS 1.13", &board, line),
            both("an image digest with the TensorFlow package before DC/OS 1.13", &packaged, words),
        ],
    );
    let patch: &'static str =
        Box::leak(format!("\"container: {{docker: {{image: '{digest}'}}}}\"").into_boxed_str());
    let patched = |version: &str| {
        let job = format!("target \"dcos\" {{ version \"{version}\"; }}");
        marathon(&job, &format!("target \"dcos\" {{ patch {patch} }}"))
    };
    let options: &'static str = Box::leak(format!("\"service: {{tf_image: '{digest}'}}\"").into_boxed_str());
    let packaged = |version: &str| package("", "", &format!("version \"{version}\"\n patch {options}"));
    let merged = rows(
        "bad-patch",
        vec![
            both("a patched image digest before DC/OS 1.13", &patched, patch),
            both("a patched image digest with the TensorFlow package before DC/OS 1.13", &packaged, options),
        ],
    );
    told.into_iter().chain(merged).collect()
}
