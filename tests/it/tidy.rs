//! Rules of the code base: dependencies between crates, forbidden names and calls, length of files.
#![expect(clippy::unwrap_used, reason = "a test may")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the output of a command that runs in the root.
fn output(program: &str, args: &[&str]) -> String {
    let done = Command::new(program).args(args).current_dir(root()).output().unwrap();
    assert!(done.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Returns all tracked and untracked text files, without ignored files.
fn files() -> Vec<(String, String)> {
    let listed = output("git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let names: BTreeSet<&str> = listed.split('\0').filter(|name| !name.is_empty()).collect();
    let read = |name: &str| Some((name.to_owned(), std::fs::read_to_string(root().join(name)).ok()?));
    names.into_iter().filter_map(read).collect()
}

/// Returns the Rust files, without this one, which contains the forbidden names.
fn rust_files() -> Vec<(String, String)> {
    files().into_iter().filter(|(name, _)| name.ends_with(".rs") && !name.ends_with("/tidy.rs")).collect()
}

fn is_test(name: &str) -> bool {
    name.starts_with("tests/")
        || name.contains("/tests/")
        || name.ends_with("/tests.rs")
        || name.ends_with("_tests.rs")
}

/// Returns the text of a Rust file without its tests.
fn shipped(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default()
}

/// Returns the files that are part of the product, without tests and test-only modules (`#[cfg(test)] mod fixture;`).
fn shipping(files: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    let seen_by_tests: Vec<_> = files
        .iter()
        .flat_map(|(_, text)| text.split("#[cfg(test)]\n").skip(1))
        .filter_map(|rest| {
            rest.trim_start_matches("pub(crate) ")
                .strip_prefix("mod ")?
                .split_once(';')
                .map(|(name, _)| format!("/{name}.rs"))
        })
        .collect();
    let ships =
        move |name: &str| !is_test(name) && !seen_by_tests.iter().any(|tests| name.ends_with(tests.as_str()));
    files.iter().filter(move |(name, _)| ships(name)).map(|(name, text)| (name.as_str(), shipped(text)))
}

/// Returns the lines that contain one of `words` as a whole word or the start of a path (`kdl::`), as `file:line: text`.
fn lines_with<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in files {
        for (i, line) in text.lines().enumerate() {
            if words.iter().any(|word| holds(line, word)) {
                found.push(format!("{name}:{}: {}", i + 1, line.trim()));
            }
        }
    }
    found
}

/// Returns whether `line` contains `word`, not as the end of a longer name or path.
fn holds(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':')
    })
}

#[test]
fn a_violation_is_found() {
    let text = "use kdl::X;\nlet x = crate::kdl::y;\nmykdl::z\n\nstd::fs::read()";
    let found = lines_with([("a.rs", text)], &["kdl::", "std::fs"]);
    assert_eq!(found, ["a.rs:1: use kdl::X;", "a.rs:5: std::fs::read()"]);
    assert_eq!(shipped("fn a() {}\n#[cfg(test)]\nmod tests {\n x.unwrap()"), "fn a() {}\n");
    assert!(files().len() > 20 && needs("tfjob").contains("tfjob-lang"));
}

fn none(found: &[String], law: &str) {
    assert!(found.is_empty(), "{law}:\n{}", found.join("\n"));
}

#[derive(serde::Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(serde::Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(serde::Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
}

/// Returns the packages of the workspace and their dependencies, without dev-dependencies.
fn packages() -> Vec<(String, BTreeSet<String>)> {
    let text = output(env!("CARGO"), &["metadata", "--format-version=1", "--no-deps", "--offline"]);
    let metadata: Metadata = serde_json::from_str(&text).unwrap();
    let needs = |package: Package| {
        let shipped = package.dependencies.into_iter().filter(|d| d.kind.as_deref() != Some("dev"));
        (package.name, shipped.map(|d| d.name).collect())
    };
    metadata.packages.into_iter().map(needs).collect()
}

fn needs(package: &str) -> BTreeSet<String> {
    packages().into_iter().find(|(name, _)| name == package).unwrap().1
}

#[test]
fn the_shim_has_few_dependencies() {
    let only = |package, allowed: &[&str]| {
        let more: Vec<_> = needs(package).into_iter().filter(|n| !allowed.contains(&n.as_str())).collect();
        none(&more, &format!("{package} depends on {allowed:?} alone"));
    };
    only("tfjob-contract", &["serde", "serde_json"]);
    only("tfjob-shim", &["tfjob-contract", "libc", "serde_json"]);
    // The driver also runs in editors and browsers, so its only dependencies in the workspace are the contract and the language.
    only("tfjob-driver", &["serde_json", "tfjob-contract", "tfjob-lang"]);
}

#[test]
fn crate_dependencies_have_one_direction() {
    let never = |package, refused: &[&str]| {
        let wrong: Vec<_> = needs(package).into_iter().filter(|n| refused.contains(&n.as_str())).collect();
        none(&wrong, &format!("{package} never depends on"));
    };
    never(
        "tfjob-lang",
        &[
            "tfjob",
            "tfjob-driver",
            "tfjob-targets",
            "tfjob-server",
            "clap",
            "handlebars",
            "lsp-types",
            "lsp-server",
        ],
    );
    never(
        "tfjob-targets",
        &["tfjob", "tfjob-driver", "tfjob-server", "kdl", "clap", "lsp-types", "lsp-server"],
    );
    for (package, needs) in packages() {
        assert!(!needs.contains("jsonschema"), "jsonschema is only for tests, not a dependency of {package}");
        let lsp = needs.iter().any(|n| n == "lsp-types" || n == "lsp-server");
        assert!(!lsp || package == "tfjob-server", "only tfjob-server may depend on LSP, not {package}");
        assert!(
            !needs.contains("kdl") || package == "tfjob-lang",
            "only tfjob-lang may depend on kdl, not {package}"
        );
    }
}

/// The programs of other projects that take credentials, among them clients of platforms.
const PROGRAMS: &str = "compiler/lang/src/secrets/known/hooks/logins/table.rs";

#[test]
fn the_language_and_the_shim_name_no_platform() {
    // `hadoop` is not in this list, because it is an entry of the language.
    let platforms = ["yarn", "kube", "volcano", "dcos", "mesos", "marathon", "spark"];
    let neutral =
        ["compiler/lang/src/", "compiler/contract/src/", "compiler/driver/src/", "targets/shim/src/"];
    let mut found = Vec::new();
    for (name, text) in rust_files() {
        if neutral.iter().any(|room| name.starts_with(room)) && name != PROGRAMS {
            // The tests of the driver need a target, so only its shipped code is checked.
            let text = if name.starts_with("compiler/driver/") { shipped(&text) } else { &text };
            for (i, line) in text.lines().enumerate() {
                let low = line.to_lowercase();
                if platforms.iter().any(|platform| low.contains(platform)) {
                    found.push(format!("{name}:{}: {}", i + 1, line.trim()));
                }
            }
        }
    }
    none(&found, "no platform's name here");
}

#[test]
fn pods_name_no_kind_of_job() {
    let files = rust_files();
    let pods = files.iter().filter(|(name, _)| name.starts_with("targets/src/pod"));
    let found = lines_with(
        pods.map(|(name, text)| (name.as_str(), shipped(text))),
        &["TFJob", "TfJob", "tfReplicaSpecs", "kubeflow.org"],
    );
    none(&found, "what a kind of job is called is passed in by that kind");
}

#[test]
fn standard_output_is_written_in_two_places() {
    let files = rust_files();
    // The command line passes its standard output on; a run has a thread for it; a build script prints for cargo.
    let places = ["src/main.rs", "src/commands/run.rs", "build.rs"];
    let others = shipping(&files).filter(|(name, _)| !places.contains(name));
    let rooms = ["targets/shim/", "editors/server/benches/"];
    let others: Vec<_> =
        others.filter(|(name, _)| !rooms.iter().any(|room| name.starts_with(room))).collect();
    let found = lines_with(others, &["println!", "print!", "stdout().lock()", "stdout().as_fd()"]);
    none(&found, "standard output is for artifacts and reports, which commands write to what they are given");
}

#[test]
fn wrapped_crates_are_used_in_one_module() {
    let files = rust_files();
    let elsewhere = |words: &[&str], rooms: &[&str]| {
        let others = files.iter().filter(|(name, _)| !rooms.iter().any(|room| name.starts_with(room)));
        lines_with(others.map(|(name, text)| (name.as_str(), shipped(text))), words)
    };
    none(&elsewhere(&["kdl::", "extern crate kdl"], &["compiler/lang/src/syntax"]), "only syntax names kdl");
    none(
        &elsewhere(&["petgraph::"], &["compiler/lang/src/resolve/order.rs"]),
        "only order.rs names petgraph",
    );
    none(&elsewhere(&["lsp_types::", "lsp_server::"], &["editors/server/"]), "only the server names LSP");
    none(&elsewhere(&["clap::", "miette::Report"], &["src/"]), "only the command line names clap");
}

#[test]
fn only_one_module_accesses_files() {
    let words = ["std::fs", "fs::", "File::", "OpenOptions", "tempfile::", "NamedTempFile"];
    let files = rust_files();
    let others = files.iter().filter(|(name, _)| {
        let rooms = [
            "src/files",
            "src/running",
            "targets/shim/",
            "targets/conformance/",
            "editors/server/benches/",
            "build.rs",
        ];
        !is_test(name) && !rooms.iter().any(|room| name.starts_with(room))
    });
    let found = lines_with(others.map(|(name, text)| (name.as_str(), shipped(text))), &words);
    none(&found, "only files touches the disk, and running that of a run");
}

#[test]
fn what_compiles_hangs_on_its_texts_alone() {
    let words = [
        "std::env",
        "env::var",
        "SystemTime",
        "Instant::",
        "std::process",
        "TcpStream",
        "std::thread",
        "std::io",
        "HashMap", // Its order differs from run to run.
        "HashSet",
    ];
    let rooms = ["compiler/lang/src/", "compiler/driver/src/", "targets/src/", "editors/server/src/"];
    let files = rust_files();
    // Messages of editors are received on standard input, and sent on standard output.
    let streams = "editors/server/src/stdio";
    let is_own = |name: &str| !name.starts_with(streams) && rooms.iter().any(|room| name.starts_with(room));
    let found = lines_with(shipping(&files).filter(|(name, _)| is_own(name)), &words);
    none(&found, "no clock, environment, process, thread or stream here");
}

#[test]
fn risky_calls_are_listed() {
    let files = rust_files();
    let shipped = || {
        let ours = files.iter().filter(|(name, _)| {
            let room =
                ["src/", "targets/shim/", "targets/src/", "compiler/lang/src/", "compiler/driver/src/"];
            !is_test(name) && !name.ends_with("/hostile.rs") && room.iter().any(|room| name.starts_with(room))
        });
        ours.map(|(name, text)| (name.as_str(), shipped(text)))
    };
    let threads = lines_with(shipped(), &["thread::spawn(", "scope.spawn("]);
    none(&threads, "`thread::Builder` says that there is no thread to spare; `spawn` panics");
    // The callers of the first file check for mounts. The second one removes only directories that tfjob has created for itself.
    let own = ["src/running/scratch.rs", "src/files/revision/directory/abandoned.rs"];
    let others = shipped().filter(|(name, _)| !own.contains(name));
    let removes = lines_with(others, &["remove_dir_all", "fs::remove_dir_all"]);
    none(&removes, "`remove_dir_all` deletes what is mounted below");
}

#[test]
fn no_target_looks_at_another() {
    let targets = tfjob_targets::ALL.iter().map(|target| target.name());
    // The two forms of DC/OS are also independent.
    let forms = ["dcos/marathon", "dcos/package"];
    let mut found = Vec::new();
    for (name, text) in rust_files() {
        let Some(rest) = name.strip_prefix("targets/src/").filter(|rest| *rest != "lib.rs") else { continue };
        let own = rest.split(['/', '.']).next().unwrap_or_default();
        let others = targets.clone().filter(|other| *other != own).map(|other| format!("crate::{other}::"));
        let form = forms.iter().filter(|form| rest.starts_with("dcos/") && !rest.starts_with(**form));
        let form = form.filter(|_| rest.contains("/marathon") || rest.contains("/package"));
        let form = form.map(|form| format!("crate::{}::", form.replace('/', "::")));
        for path in others.chain(form) {
            found.extend(lines_with([(name.as_str(), text.as_str())], &[path.as_str()]));
        }
    }
    none(&found, "a target stands alone, and nothing that targets share names one");
}

#[test]
fn files_are_short_and_have_a_module_comment() {
    let mut found = Vec::new();
    // Generated tables in `schemas` are included in other files, so their length is not limited.
    for (name, text) in rust_files().into_iter().filter(|(name, _)| !name.starts_with("schemas/")) {
        let lines = text.lines().count();
        if lines > 500 {
            found.push(format!("{name}: {lines} lines, more than 500"));
        }
        if !text.starts_with("//! ") {
            found.push(format!("{name}: does not start with `//!`"));
        }
        let stem = Path::new(&name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if ["mod", "utils", "util", "common", "helpers", "helper", "types", "misc"].contains(&stem.as_str()) {
            found.push(format!("{name}: a meaningless file name"));
        }
    }
    none(&found, "files are short and have meaningful names");
}

#[test]
fn pages_are_short() {
    for paper in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let lines = std::fs::read_to_string(root().join(paper)).map_or(0, |text| text.lines().count());
        assert!(lines <= 200, "{paper} has {lines} lines, more than 200");
    }
}

#[test]
fn nothing_unwraps_outside_tests() {
    let files = rust_files();
    let mut found = Vec::new();
    for (name, text) in shipping(&files) {
        for (i, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if code.contains(".unwrap()") {
                found.push(format!("{name}:{}: {}", i + 1, line.trim()));
            }
        }
    }
    none(&found, "`expect` says why it cannot fail");
}

#[test]
fn no_file_contains_paths_of_the_build_machine() {
    let roots = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/runner/")];
    let mut found = Vec::new();
    for (name, text) in files() {
        for (i, line) in text.lines().enumerate() {
            let starts = |root: &str| {
                line.match_indices(root)
                    .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}".contains(c)))
            };
            if roots.iter().any(|root| starts(root)) {
                found.push(format!("{name}:{}: {}", i + 1, line.trim()));
            }
        }
    }
    none(&found, "no path of a machine");
}

#[test]
fn no_generated_leftover_is_kept() {
    let is_left = |name: &String| name.ends_with(".snap.new") || name.ends_with(".orig");
    none(&files().into_iter().map(|(name, _)| name).filter(is_left).collect::<Vec<_>>(), "leftovers");
}

#[test]
fn every_page_has_a_code() {
    let rooms =
        [("compiler/lang/errors", tfjob_lang::codes::ALL), ("targets/errors", tfjob_targets::codes::ALL)];
    for (room, codes) in rooms {
        let names: BTreeSet<PathBuf> = codes.iter().map(|code| format!("{}.md", code.name).into()).collect();
        let pages = std::fs::read_dir(root().join(room)).unwrap();
        for page in pages.map(|entry| PathBuf::from(entry.unwrap().file_name())) {
            assert!(names.contains(&page), "{room}/{}: no code of that name", page.display());
        }
    }
}
