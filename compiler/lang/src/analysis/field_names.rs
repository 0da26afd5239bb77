//! The lists of field names in the code contain only names of fields, so that a field cannot be renamed without them.
use super::alone::request;
use super::in_help::DEPENDED_ON;
use crate::digest::WITHOUT_TASKS;
use crate::merge::{BY_CHILD, EITHER, VARIABLES};
use crate::references::FIELDS;
use crate::shape::{Field, JOINED, Place, Shape, project_schema};
use crate::sources::Format;
use crate::spec::{DEFAULTS_OF_ROLES_ONLY, DOWNLOADED, ORDERED};
use std::sync::LazyLock;

/// Collects all fields below a shape.
fn collect(shape: &'static Shape, found: &mut Vec<&'static Field>) {
    match shape {
        Shape::Object(object) => object.fields.iter().for_each(|field| {
            found.push(field);
            collect(&field.shape, found);
        }),
        Shape::Keyed(keyed) => collect(&keyed.item, found),
        Shape::List(list) => collect(&list.item, found),
        Shape::NumberOr(_, other) => collect(other, found),
        Shape::Words(_) | Shape::Number(_) | Shape::Flag | Shape::Text(_) | Shape::Scalar | Shape::Any => {}
    }
}

/// The shape of project files. A choice needs at least one target.
static PROJECTS: LazyLock<Shape> =
    LazyLock::new(|| Shape::from_schema(&project_schema(&["local"])).expect("the shape of project files"));

/// Returns the fields of a job, and those of specs and project files.
fn fields() -> (Vec<&'static str>, Vec<&'static Field>) {
    let jobs = request("a.tfjob.kdl", "", Format::Kdl).registry.jobs;
    let job = jobs.block(&[("job", None)]).expect("the block of a job");
    let mut all = Vec::new();
    collect(jobs, &mut all);
    collect(&PROJECTS, &mut all);
    (job.fields.iter().map(|field| field.name).collect(), all)
}

#[test]
fn each_list_has_only_names_of_fields() {
    let (of_job, all) = fields();
    let lists: [&[&str]; 7] =
        [&ORDERED, &DOWNLOADED, &WITHOUT_TASKS, &EITHER, &VARIABLES, &FIELDS, &DEFAULTS_OF_ROLES_ONLY];
    for name in lists.into_iter().flatten() {
        assert!(of_job.contains(name), "a job has no field `{name}`");
    }
    let lists: [&[&str]; 2] = [&DEPENDED_ON, &BY_CHILD];
    for name in lists.into_iter().flatten() {
        assert!(all.iter().any(|field| field.name == *name), "there is no field `{name}`");
    }
    for name in JOINED {
        let is_list = |field: &&Field| field.name == name && field.place == Place::Args;
        assert!(all.iter().any(is_list), "there is no list `{name}`");
    }
}

/// The names in [`Field::paths`] and [`Field::has_settings`].
#[test]
fn the_fields_with_paths_and_settings_exist() {
    let (_, all) = fields();
    let mut names: Vec<&str> =
        all.iter().filter(|field| field.paths().is_some()).map(|one| one.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names, ["cluster", "extends", "specs"]);
    assert!(all.iter().any(|field| field.has_settings()));
}
