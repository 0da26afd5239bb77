//! The console blocks of the README and of the pages beside it are what the program prints, and its jobs are jobs.
#[test]
fn documents_show_what_is_printed() {
    trycmd::TestCases::new().case("README.md").case("docs/clusters.md").case("docs/run.md");
}

/// The code of the first block of that language.
fn block<'p>(page: &'p str, language: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("```{language}\n")).expect("the page has such a block");
    rest.split_once("```").expect("a block ends").0
}

#[test]
fn the_job_of_three_formats_is_one_job() {
    let page = include_str!("../../docs/formats.md");
    let made = ["kdl", "yaml", "json"].map(|language| {
        let dir = tempfile::tempdir().expect("a folder");
        let name = format!("mnist.tfjob.{language}");
        std::fs::write(dir.path().join(&name), block(page, language)).expect("a file");
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
