//! A TensorBoard is a container like a helper's: where a target refuses a helper of that image, size, or name, it refuses the
//! TensorBoard, too.
#[path = "shared/request.rs"]
mod request;

use request::request;
use tfjob_lang::analysis::analyse;
use tfjob_lang::target::AnyTarget;
use tfjob_targets::ALL;

/// The errors of a job with this TensorBoard or helper.
fn errors(target: &dyn AnyTarget, name: &str, options: &str, beside: &str) -> Vec<String> {
    let text = format!(
        "job \"{name}\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n \
         image \"ml/mnist:1.0\"\n run \"a\"\n resources cpus=1 memory=\"1GiB\"\n \
         checkpoints \"{}\" at=\"/ck\"\n role \"chief\"\n role \"worker\" count=2\n target \"{}\" {{ {options} }}\n {beside}\n}}\n",
        if target.name() == "dcos" { "file:///mnt/nfs/ck" } else { "nfs://filer.example.com/ck" },
        target.name()
    );
    let analysis = analyse(&request(&text));
    let checked = analysis.check(target);
    let all = analysis.diagnostics.iter().chain(&checked.diagnostics);
    all.filter(|d| d.is_error()).map(|d| format!("{}: {}", d.code.name, d.message)).collect()
}

/// Options of each target that runs one, for old and new releases.
const OPTIONS: &[(&str, &[&str])] = &[
    (
        "yarn",
        &[
            "hadoop \"3.1\"",
            "hadoop \"3.3\"; dns-domain \"hadoop.prod.example.com\"",
            "hadoop \"3.4\"; dns-domain \"hadoop.prod.example.com\"; user \"recs\"",
        ],
    ),
    ("kubernetes", &["", "gang \"volcano\"", "pod-security \"restricted\"", "service-account \"trainer\""]),
    ("dcos", &["version \"1.10\"", "version \"1.13\"", "version \"2.1\"; group \"/teams/recommendation\""]),
];

/// Images of all forms.
const IMAGES: &[&str] = &[
    "ml/board:1.0",
    "ml/board@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "ml/board:1.0@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "ml/board@sha512:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "localhost:5000/board",
    "r.example.com:5000/a/b:2",
];

/// What it gets.
const RESOURCES: &[&str] = &[
    "cpus=1 memory=\"2GiB\"",
    "cpus=0.1 memory=\"1MiB\"",
    "cpus=0.5 memory=\"1025KiB\"",
    "cpus=2.5 memory=\"8PiB\"",
    "cpus=10000 memory=\"1024TiB\"",
];

#[test]
fn what_is_refused_of_a_helper_is_refused_of_a_tensorboard() {
    let (mut wrong, mut refused) = (Vec::new(), 0);
    let names: Vec<String> = (1..=59).step_by(2).map(|length| "n".repeat(length)).collect();
    let of = |target: &str, all: &'static [(&str, &'static [&'static str])]| {
        all.iter().find(|(name, _)| *name == target).map_or(&[][..], |(_, options)| options)
    };
    for target in ALL {
        for options in of(target.name(), OPTIONS) {
            let mut look = |name: &str, image: &str, resources: &str| {
                let more = |name: &str, beside: &str| {
                    let plain = errors(*target, name, options, "");
                    let mut found = errors(*target, name, options, beside);
                    found.retain(|error| !plain.contains(error));
                    found
                };
                let helper = format!(
                    "helper \"tensorboard\" {{ image \"{image}\"; resources {resources}; run \"tensorboard\"; port \"page\" 6006 }}"
                );
                let board = format!("tensorboard image=\"{image}\" {{ resources {resources} }}");
                // The name of a helper's Service ends in `-0`, and that of the TensorBoard does not.
                let longer = if target.name() == "kubernetes" { "nn" } else { "" };
                let (helper, board) = (more(name, &helper), more(&format!("{name}{longer}"), &board));
                refused += usize::from(!helper.is_empty());
                if !helper.is_empty() && board.is_empty() {
                    wrong.push(format!(
                        "{}, {options}, {name}, {image}, {resources}: {helper:?}",
                        target.name()
                    ));
                }
            };
            names.iter().for_each(|name| look(name, IMAGES[0], RESOURCES[0]));
            IMAGES.iter().for_each(|image| look("mnist", image, RESOURCES[0]));
            RESOURCES.iter().for_each(|resources| look("mnist", IMAGES[0], resources));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > 10, "{refused} helpers are refused: nothing is compared");
}
