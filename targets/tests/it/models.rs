//! Checks of a GPU model against the attributes of a cluster file's nodes. Each target has its own name for the attribute.

use crate::request::{analyze, request};

const DCOS: &str = "dcos { version \"2.1\"; gpu-model-attribute \"model\"; }";
const YARN: &str = "yarn { hadoop \"3.4.1\"; gpu-attribute \"nm.yarn.io/model\"; }";
const KUBERNETES: &str =
    "kubernetes { gpu-model-label \"gpu.product\"; gpu-models { \"a100\" \"NVIDIA-A100\"; }; }";

/// The `target` block, the properties of the nodes with GPUs, and the codes reported for a job that requests an `a100`.
const CASES: &[(&str, &str, &[&str])] = &[
    (DCOS, "node \"model\" \"a100\"", &[]),
    (DCOS, "node \"model\" \"v100\"", &["no-matching-node"]),
    (DCOS, "node \"rack\" \"r1\"", &[]),
    (DCOS, "", &[]),
    (YARN, "node \"nm.yarn.io/model\" \"a100\"", &[]),
    (YARN, "node \"nm.yarn.io/model\" \"v100\"", &["no-matching-node"]),
    (KUBERNETES, "node \"gpu.product\" \"NVIDIA-A100\"", &[]),
    (KUBERNETES, "node \"gpu.product\" \"a100\"", &["no-matching-node"]),
    (KUBERNETES, "node \"gpu.product\" \"NVIDIA-V100\"", &["no-matching-node"]),
];

#[test]
fn a_model_that_no_attribute_of_the_nodes_has_fits_nowhere() {
    for (block, words, expected) in CASES {
        let target = block.split(' ').next().unwrap_or_default();
        // If the nodes have a `gpu-model` too, an attribute without it is reported. A model that no node has is reported only
        // once.
        for (own, model, expected) in [
            ("", "a100", *expected),
            (" gpu-model=\"a100\"", "a100", *expected),
            (" gpu-model=\"v100\"", "a100", &["unknown-gpu-model"]),
        ] {
            let text = format!(
                "cluster \"c\" target=\"{target}\" {{\nnodes \"n\" count=9 cpus=64 memory=\"256GiB\" gpus=8{own} {{ {words}\n}}\n{block}\n}}\n"
            );
            let cluster = crate::request::cluster(&text);
            let job = format!(
                "job \"j\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"ml/a:1\"\nrun \"/a\"\n\
                 role \"worker\" count=2 {{ resources cpus=1 memory=\"1GiB\" gpus=2 gpu-model=\"{model}\"; }}\n}}\n"
            );
            let analysis = analyze(&request(&job).cluster(Some(&cluster)));
            let told = cluster.diagnostics.iter().chain(&analysis.diagnostics);
            let told: Vec<_> = told.filter(|d| d.is_error()).map(|d| d.code.name).collect();
            assert_eq!(told, expected, "{block}: {words}{own}\n{:#?}", analysis.diagnostics);
        }
    }
}

/// Only the label of GPU feature discovery certainly has no short names as its values.
#[test]
fn a_short_name_that_is_no_label_value_is_told() {
    for (label, models, model, expected) in [
        ("nvidia.com/gpu.product", "", "V100", 1),
        ("nvidia.com/gpu.product", "gpu-models { \"A100\" \"NVIDIA-A100-SXM4-80GB\"; }", "v100", 1),
        ("nvidia.com/gpu.product", "gpu-models { \"V100\" \"Tesla-V100-SXM2-32GB\"; }", "V100", 0),
        (
            "nvidia.com/gpu.product",
            "gpu-models { \"A100\" \"NVIDIA-A100-SXM4-80GB\"; }",
            "Tesla-V100-SXM2-32GB",
            0,
        ),
        ("nvidia.com/gpu.product", "", "B200", 0),
        ("accelerator", "gpu-models { \"A100\" \"nvidia-a100\"; }", "V100", 0),
    ] {
        let job = format!(
            "job \"j\" {{\nframework \"custom\"\nimage \"ml/a:1\"\nrun \"/a\"\nrole \"worker\" count=2\nrole \"other\"\n\
             resources cpus=1 memory=\"1GiB\" gpus=2 gpu-model=\"{model}\"\ntarget \"kubernetes\" {{ gpu-model-label \"{label}\"; {models}; }}\n}}\n"
        );
        let analysis = analyze(&request(&job));
        let kubernetes = tfjob_targets::ALL.iter().find(|target| target.name() == "kubernetes").unwrap();
        let found = analysis.check(*kubernetes).diagnostics;
        let told = found.iter().filter(|d| d.code.name == "unmapped-gpu-model").count();
        assert_eq!(told, expected, "{label} {models} {model}: {found:?}");
    }
}
