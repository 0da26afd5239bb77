//! TensorBoard runs in a container like a helper. If a target refuses a helper with an image, resources, or a job name, it refuses
//! TensorBoard with them too.

use crate::request::{analyze, request};
use tfjob_lang::diagnostic::Severity;
use tfjob_lang::target::AnyTarget;
use tfjob_targets::ALL;

/// Returns the errors of a job. `others`: the lines that add a TensorBoard or a helper.
fn errors(target: &dyn AnyTarget, name: &str, options: &str, others: &str) -> Vec<String> {
    let text = format!(
        "job \"{name}\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n \
         image \"ml/mnist:1.0\"\n run \"a\"\n resources cpus=1 memory=\"1GiB\"\n \
         checkpoints \"{}\" at=\"/ck\"\n role \"chief\"\n role \"worker\" count=2\n target \"{}\" {{ {options} }}\n {others}\n}}\n",
        if target.name() == "dcos" { "file:///mnt/nfs/ck" } else { "nfs://filer.example.com/ck" },
        target.name()
    );
    let analysis = analyze(&request(&text));
    let checked = analysis.check(target);
    let all = analysis.diagnostics.iter().chain(&checked.diagnostics);
    all.filter(|d| d.is_error()).map(|d| format!("{}: {}", d.code.name, d.message)).collect()
}

/// Options of each target that runs TensorBoard, for old and new releases of the platform.
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

/// Names of images in all forms.
const IMAGES: &[&str] = &[
    "ml/board:1.0",
    "ml/board@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "ml/board:1.0@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "ml/board@sha512:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "localhost:5000/board",
    "r.example.com:5000/a/b:2",
];

/// Resources of TensorBoard or of the helper.
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
                let more = |name: &str, others: &str| {
                    let plain = errors(*target, name, options, "");
                    let mut found = errors(*target, name, options, others);
                    found.retain(|error| !plain.contains(error));
                    found
                };
                let helper = format!(
                    "helper \"tensorboard\" {{ image \"{image}\"; resources {resources}; run \"tensorboard\"; port \"page\" 6006 }}"
                );
                let board = format!("tensorboard image=\"{image}\" {{ resources {resources} }}");
                // The name of a helper's Service ends in `-0`, but that of TensorBoard does not. So the job name is made longer by
                // two characters.
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

/// Jobs for which a helper has an error about its directory, its node, or its port: target, options, lines of the job, lines of
/// the worker.
const JOBS: &[(&str, &str, &str, &str)] = &[
    (
        "dcos",
        "version \"2.1\"",
        "checkpoints \"file:///mnt/ck\" at=\"/ck\"; placement { node \"hostname\" \"10.0.0.7\"; }",
        "resources cpus=1 memory=\"1GiB\" gpus=1",
    ),
    (
        "dcos",
        "version \"2.1\"",
        "checkpoints \"file:///mnt/ck\" at=\"/ck\"; placement { node \"hostname\" \"10.0.0.7\"; }",
        "port \"web\" 6006",
    ),
    ("yarn", "hadoop \"3.4\"; dns-domain \"yc\"", "checkpoints \"gs://b/ck\"", "port \"web\" 6006"),
];

#[test]
fn a_tensorboard_is_told_of_its_node_and_its_port_as_a_helper_is() {
    let helper = "helper \"h\" { resources cpus=1 memory=\"1GiB\"; run \"tensorboard\"; port \"page\" 6006 }";
    let board = "tensorboard { resources cpus=1 memory=\"1GiB\" }";
    for (name, options, job, worker) in JOBS {
        let target = ALL.iter().find(|target| target.name() == *name).copied().unwrap_or(ALL[0]);
        let codes = |others: &str| -> Vec<&'static str> {
            let text = format!(
                "job \"mnist\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"mirrored\"\n image \"ml/mnist:1.0\"\n {job}\n \
                 role \"worker\" {{ run \"a\"; resources cpus=1 memory=\"1GiB\"; {worker} }}\n target \"{name}\" {{ {options} }}\n {others}\n}}\n"
            )
            .replace("resources cpus=1 memory=\"1GiB\"; resources", "resources");
            let analysis = analyze(&request(&text));
            let checked = analysis.check(target);
            let all = analysis.diagnostics.iter().chain(&checked.diagnostics);
            all.filter(|d| d.code.severity != Severity::Note).map(|d| d.code.name).collect()
        };
        let (plain, of_helper, of_board) = (codes(""), codes(helper), codes(board));
        let new: Vec<_> = of_helper.into_iter().filter(|code| !plain.contains(code)).collect();
        assert!(!new.is_empty(), "{name}, {worker}: nothing is told of the helper");
        assert!(
            new.iter().all(|code| of_board.contains(code)),
            "{name}, {worker}: {new:?} against {of_board:?}"
        );
    }
}

#[test]
fn logs_in_a_folder_of_the_tasks_own_node_are_refused_wherever_they_are() {
    let board = "tensorboard logs=\"LOGS\" { resources cpus=1 memory=\"1GiB\" }";
    let folders = [
        ("checkpoints \"file:///mnt/l\" at=\"/mnt/l\"", "{checkpoints}"),
        ("data \"l\" \"file:///mnt/l\" at=\"/mnt/l\" writable=#true", "{data.l}"),
        ("data \"l\" \"file:///mnt/l\" at=\"/mnt/l\" writable=#true", "{data.l}/runs"),
        ("data \"l\" \"file:///mnt/l\" at=\"/mnt/l\" writable=#true", "/mnt/l/runs"),
        ("data \"l\" \"file:///mnt/l\" at=\"/mnt/l\"", "{data.l}"),
    ];
    for (target, options) in
        [("dcos", "version \"2.1\""), ("kubernetes", ""), ("yarn", "hadoop \"3.4\"; dns-domain \"yc\"")]
    {
        let lent = ALL.iter().find(|lent| lent.name() == target).copied().unwrap_or(ALL[0]);
        for (folder, logs) in folders {
            let text = format!(
                "job \"mnist\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"mirrored\"\n image \"ml/mnist:1.0\"\n {folder}\n \
                 role \"worker\" {{ run \"a\" \"--logs=/mnt/l\"; resources cpus=1 memory=\"1GiB\" }}\n target \"{target}\" {{ {options} }}\n {}\n}}\n",
                board.replace("LOGS", logs)
            );
            let analysis = analyze(&request(&text));
            let checked = analysis.check(lent);
            let all = analysis.diagnostics.iter().chain(&checked.diagnostics);
            let found: Vec<_> = all.filter(|d| d.is_error()).map(|d| d.message.as_str()).collect();
            // Only a directory that tasks write to may be missing on another node.
            let own = folder.starts_with("checkpoints") || folder.contains("writable");
            assert_eq!(
                found.iter().any(|m| m.contains(" on another ")),
                own,
                "{target}, {folder}, {logs}: {found:#?}"
            );
        }
    }
}

/// Lines of the job, lines of its worker, and whether TensorBoard can use the Python of the tasks: on YARN, on DC/OS, and on
/// Kubernetes. On Kubernetes, TensorBoard has no downloaded files.
const PYTHONS: &[(&str, &str, [bool; 3])] = &[
    ("", "run \"/opt/py/bin/python\" \"/a.py\"", [true, true, true]),
    (
        "files \"venv\" \"URI/v.tar.gz\"",
        "run \"/opt/py/bin/python\" \"{files.venv}/a.py\"",
        [true, true, true],
    ),
    ("files \"venv\" \"URI/v.tar.gz\"", "run \"{files.venv}/bin/python\" \"/a.py\"", [false, false, false]),
    ("code \"URI/v.tar.gz\"", "run \"{code}/env/bin/python3.11\" \"/a.py\"", [false, false, false]),
    ("code \"URI/v.tar.gz\"", "run \"{code}/run.sh\"", [true, true, true]),
    (
        "files \"venv\" \"URI/v.tar.gz\"",
        "shell \"exec $TFJOB_FILES_VENV/bin/python /a.py\"",
        [false, false, false],
    ),
    (
        "files \"venv\" \"URI/v.tar.gz\"",
        "shell \". \\\"${TFJOB_FILES_VENV}/bin/activate\\\" && exec python /a.py\"",
        [false, false, false],
    ),
    (
        "files \"venv\" \"URI/v.tar.gz\"",
        "shell \"export PATH=\\\"$TFJOB_FILES_VENV\\\"/bin:$PATH; exec python /a.py\"",
        [false, false, false],
    ),
    (
        "files \"venv\" \"URI/v.tar.gz\"",
        "shell \"exec /opt/py/bin/python /a.py $TFJOB_FILES_VENV/binary\"",
        [true, true, true],
    ),
    (
        "files \"venv\" \"URI/v.tar.gz\"; env { PATH \"{files.venv}/bin:{env.PATH}\"; }",
        "run \"python\" \"/a.py\"",
        [true, false, false],
    ),
    // In the next row, only one role has the variable.
    (
        "files \"venv\" \"URI/v.tar.gz\"",
        "run \"python\" \"/a.py\"; env { PATH \"{files.venv}/bin:{env.PATH}\"; }",
        [false, false, false],
    ),
    (
        "image \"ml/a:1\"; files \"venv\" \"URI/v.tar.gz\"",
        "run \"{files.venv}/bin/python\" \"/a.py\"",
        [false, false, false],
    ),
    // In the next row, TensorBoard has an image of its own, which contains TensorBoard.
    (
        "image \"ml/a:1\"; files \"venv\" \"URI/v.tar.gz\"; tensorboard image=\"ml/board:1\" { resources cpus=1 memory=\"1GiB\"; }",
        "run \"{files.venv}/bin/python\" \"/a.py\"",
        [true, true, true],
    ),
    (
        "image \"ml/a:1\"; files \"cfg\" \"URI/c.tar.gz\"; env { CONFIG \"{files.cfg}\"; }",
        "run \"python\" \"/a.py\"",
        [true, true, true],
    ),
];

#[test]
fn a_tensorboard_has_the_python_of_the_tasks_or_says_that_it_has_not() {
    for (number, (target, options, uri)) in [
        ("yarn", "hadoop \"3.4\"; dns-domain \"yc\"", "hdfs://default/ml"),
        ("dcos", "version \"2.1\"", "https://example.com/ml"),
        ("kubernetes", "", "https://example.com/ml"),
    ]
    .into_iter()
    .enumerate()
    {
        let lent = ALL.iter().find(|lent| lent.name() == target).copied().unwrap_or(ALL[0]);
        for (job, worker, has) in PYTHONS {
            // A Pod must have an image.
            let image =
                if target == "kubernetes" && !job.contains("image") { "image \"ml/a:1\"" } else { "" };
            let board = "tensorboard { resources cpus=1 memory=\"1GiB\"; }";
            let board = if job.contains("tensorboard") { "" } else { board };
            let text = format!(
                "job \"mnist\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n checkpoints \"gs://b/ck\"\n {}\n {image}\n \
                 resources cpus=1 memory=\"1GiB\"\n role \"chief\" {{ run \"/opt/py/bin/python\" \"/a.py\"; }}\n role \"worker\" {{ {worker}; }}\n \
                 target \"{target}\" {{ {options} }}\n {board}\n}}\n",
                job.replace("URI", uri)
            );
            let analysis = analyze(&request(&text));
            let checked = analysis.check(lent);
            let all: Vec<_> = analysis.diagnostics.iter().chain(&checked.diagnostics).collect();
            assert!(all.iter().all(|d| !d.is_error()), "{text}{all:#?}");
            let told = all.iter().filter(|d| d.code.name == "undelivered-file").count();
            assert_eq!(told == 0, has[number], "{text}{all:#?}");
        }
    }
}
