//! Options of the target block: each option changes the artifacts, even in a job that does not otherwise need it.
use super::{bare, many, one};
use crate::pitfalls::{analyzed, found};
use tfjob_lang::shape::Shape;
use tfjob_targets::yarn::Options;

/// An option, and the job that contains it.
type Row = (&'static str, Box<dyn Fn(&str) -> String>);

/// For each option: a job without the option, and the option.
fn jobs() -> Vec<Row> {
    const PLACED: &str = "resource-manager \"http://rm:8088\"; user \"ada\"; hadoop \"3.4.1\"";
    let plain = |option: &'static str| -> Row { (option, Box::new(|option| one("", "", option))) };
    let of = |option: &'static str, job: &'static str, block: &'static str| -> Row {
        (option, Box::new(move |option| one(job, "", &format!("{block}\n{option}"))))
    };
    let meeting = |option: &'static str| -> Row { (option, Box::new(|option| many("", "", option))) };
    let model = |option: &'static str, block: &'static str| -> Row {
        let gpus = "cpus=1 gpus=1 gpu-model=\"a100\"";
        (option, Box::new(move |option| bare("", "", &format!("{block}\n{option}")).replace("cpus=1", gpus)))
    };
    vec![
        meeting("hadoop \"3.3.6\""),
        plain("queue \"ml\""),
        (
            "dns-domain \"other\"",
            Box::new(|option| many("", "", "").replace("dns-domain \"cluster\"", option)),
        ),
        meeting("user \"ada\""),
        of("default-fs \"hdfs://nn1\"", "files \"s\" \"hdfs://nn1/a.txt\"", ""),
        meeting("shim url=\"hdfs:///tfjob-shim\""),
        plain("docker-config \"hdfs:///config.json\""),
        of("mounted { \"nfs://f\" \"/mnt/f\"; }", "data \"d\" \"nfs://f/d\" at=\"/d\"", ""),
        of("placement-constraints #true", "placement { spread \"host\" }", PLACED),
        model(
            "gpu-attribute \"nm.yarn.io/model\"",
            "placement-constraints #true; resource-manager \"http://rm:8088\"; user \"ada\"; hadoop \"3.4.1\"",
        ),
        of(
            "resource-manager \"http://rm:8088\"",
            "placement { spread \"host\" }",
            "placement-constraints #true; user \"ada\"; hadoop \"3.4.1\"",
        ),
        of("kill-delay \"60s\"", "stop grace=\"10s\"", ""),
        of("keep-delay \"10m\"", "keep \"all\" for=\"5m\"", ""),
        plain("patch \"lifetime: 60\""),
    ]
}

#[test]
fn each_option_has_an_effect_of_its_own() {
    let jobs = jobs();
    let schema = Shape::schema_of::<Options>();
    for field in schema["properties"].as_object().expect("options").keys() {
        let row = jobs.iter().find(|(option, _)| option.split(' ').next() == Some(field.as_str()));
        assert!(row.is_some(), "`{field}` has no row");
    }
    let told = |text: &str| {
        let (all, lowered) = found(&analyzed(text), "yarn");
        let all: Vec<_> = all.iter().map(|d| format!("{}: {}", d.code.name, d.message)).collect();
        let text = lowered.map(|lowered| {
            let files: Vec<_> = lowered.artifacts.iter().map(|file| file.text.clone()).collect();
            format!("{files:?}{:?}", lowered.steps)
        });
        (text, all)
    };
    for (option, job) in jobs {
        let (with, without) = (told(&job(option)), told(&job("")));
        assert!(with.0.is_some(), "{option}: {:#?}\n{}", with.1, job(option));
        assert_ne!(with.0, without.0, "`{option}` changes nothing:\n{}", job(option));
    }
}
