//! Tests of the pages in `docs` and of the README: console blocks show real output, and jobs are valid.
#[test]
fn console_blocks_show_real_output() {
    trycmd::TestCases::new().case("README.md").case("docs/clusters.md").case("docs/run.md");
}

/// Returns the first code block of a language.
fn block<'p>(page: &'p str, language: &str) -> &'p str {
    let (_, rest) =
        page.split_once(&format!("```{language}\n")).expect("the page has a block of this language");
    rest.split_once("```").expect("the block is closed").0
}

#[test]
fn the_same_job_in_three_formats_compiles_equally() {
    let page = include_str!("../../docs/formats.md");
    let made = ["kdl", "yaml", "json"].map(|language| {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let name = format!("mnist.tfjob.{language}");
        std::fs::write(dir.path().join(&name), block(page, language)).expect("writable");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tfjob"));
        let command = command.args(["compile", &name, "--stdout"]).current_dir(dir.path());
        let output = command.output().expect("the program starts");
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.success() && !said.contains("error"), "{language}: {said}");
        String::from_utf8(output.stdout).expect("text")
    });
    assert!(made[0].contains("kind: TFJob"), "{}", made[0]);
    assert!(made.iter().all(|one| *one == made[0]), "{}", made.join("\n----\n"));
}

/// The first job that a new user of the extension sees.
#[test]
fn jobs_of_the_walkthrough_have_no_findings() {
    let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode/walkthrough");
    let (mut checked, mut wrong) = (0, Vec::new());
    for page in std::fs::read_dir(pages).expect("the directory is readable").flatten() {
        let text = std::fs::read_to_string(page.path()).expect("readable");
        let blocks = text.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
        for (language, job) in blocks.filter(|(language, _)| ["kdl", "yaml", "json"].contains(language)) {
            let dir = tempfile::tempdir().expect("a temporary directory");
            let name = format!("mnist.tfjob.{language}");
            std::fs::write(dir.path().join(&name), job).expect("writable");
            let output =
                crate::program::run(dir.path(), &["check", &name, "--format", "short", "--deny-warnings"]);
            if !output.status.success() {
                wrong.push(format!("{}: {}", page.path().display(), crate::program::out(&output)));
            }
            checked += 1;
        }
    }
    assert!(checked > 0 && wrong.is_empty(), "{checked} jobs: {wrong:?}");
}

/// The page names a file or a test for each statement.
#[test]
fn files_and_tests_named_in_the_security_page_exist() {
    let page = include_str!("../../docs/security.md");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut texts, mut wrong) = (Vec::new(), Vec::new());
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    for path in
        named.iter().filter(|name| name.contains('/') && [".rs", ".sh"].iter().any(|end| name.ends_with(end)))
    {
        match std::fs::read_to_string(root.join(path)) {
            Ok(text) => texts.push(text),
            Err(why) => wrong.push(format!("{path}: {why}")),
        }
    }
    let is_test = |name: &&&str| name.matches('_').count() > 2 && !name.contains(['.', '/', '=']);
    for name in named.iter().filter(is_test) {
        if !texts.iter().any(|text| text.contains(&format!("fn {name}("))) {
            wrong.push(format!("no test `{name}` in the files that the page names"));
        }
    }
    assert!(texts.len() > 15 && wrong.is_empty(), "{wrong:?}");
}
