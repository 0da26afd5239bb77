//! Standard output has only artifacts.

use crate::commands::compiled;
use crate::program::{code, err, folder, out};
use std::fs;

#[test]
fn compile_writes_artifacts_and_keeps_standard_output_for_them() {
    let dir = folder();
    let first = compiled(dir.path(), &["-o", "made"]);
    assert_eq!((code(&first), out(&first)), (0, ""));
    let text = fs::read_to_string(dir.path().join("made/mnist/kubernetes/job.yaml")).unwrap();
    assert!(err(&first).contains("wrote made/mnist/kubernetes/job.yaml\n"), "{}", err(&first));
    let piped = compiled(dir.path(), &["--stdout"]);
    assert_eq!(out(&piped), text);
    // Steps that name an output file are not printed; all others are.
    let steps = |told: &str| told.lines().filter(|line| line.contains("configmap")).count();
    let submit = "To submit the job, run this command without `--stdout`: the submit command reads the file `job.yaml`";
    assert!(err(&piped).matches("job.yaml").count() == 1 && err(&piped).contains(submit), "{}", err(&piped));
    assert!(steps(err(&piped)) == steps(err(&first)), "{}", err(&piped));

    assert_eq!(code(&compiled(dir.path(), &["-o", "made", "--check"])), 0);
    let changed = compiled(dir.path(), &["-o", "made", "--check", "--set", "role.worker.resources.cpus=3"]);
    assert_eq!((code(&changed), err(&changed)), (1, ""));
    assert!(out(&changed).contains("outdated: made/mnist/kubernetes/job.yaml"), "{}", out(&changed));
    assert_eq!(fs::read_to_string(dir.path().join("made/mnist/kubernetes/job.yaml")).unwrap(), text);
}
