//! The script of the plugin for Argo CD.
use super::Repository;
use crate::program::{code, err, out};
use std::fs;

/// The objects of all environments have the same names, so the objects of several environments would replace each other.
#[test]
fn the_plugin_compiles_exactly_one_environment_of_the_project() {
    let repository = Repository::new();
    fs::create_dir(repository.0.path().join("sub")).unwrap();
    let east = repository.plugin(".", Some("east"));
    assert_eq!(code(&east), 0, "{}", err(&east));
    assert_eq!(out(&east).matches("kind: TFJob\n").count(), 2, "{}", out(&east));
    let refused = |directory: &str, environment: Option<&str>, why: &str| {
        let done = repository.plugin(directory, environment);
        assert_eq!((code(&done), out(&done)), (1, ""), "{directory} {environment:?}");
        assert!(err(&done).contains(why), "{directory} {environment:?}: {}", err(&done));
    };
    refused(".", None, "set the variable TFJOB_ENV");
    // Below the project, tfjob would compile all its jobs.
    refused("jobs", Some("east"), "the directory of tfjob.kdl");
    // However the environments are written.
    let project = fs::read_to_string(repository.0.path().join("tfjob.kdl")).unwrap();
    fs::write(repository.0.path().join("tfjob.kdl"), project.replace("    environment", "\tenvironment"))
        .unwrap();
    refused(".", None, "set the variable TFJOB_ENV");
    // Above the project, tfjob would compile the specs without their environment.
    for name in ["tfjob.kdl", "jobs", "bases", "clusters"] {
        fs::rename(repository.0.path().join(name), repository.0.path().join("sub").join(name)).unwrap();
    }
    refused(".", None, "the directory of tfjob.kdl");
    assert_eq!(code(&repository.plugin("sub", Some("east"))), 0);
}
