//! Reads cluster files, and adds the findings of the target about the options in the file.
use crate::{ClusterFile, Driver, Loaded, Request};
use tfjob_lang::cluster;

/// A minimal job. Checking it for the target of a cluster file yields the findings about the options in the file.
const LEAST: &str = r#"job "x" {
    framework "custom"
    image "x:1"
    role "x" {
        run "true"
        resources cpus=1 memory="1MiB"
    }
}"#;

pub(crate) fn read(driver: &Driver, text: &Loaded) -> ClusterFile {
    let file = cluster::read(text, &driver.registry);
    let Some(target) = file.target().and_then(|name| driver.registry.target(name)) else { return file };
    let least = driver.analyze(&Request::new("", LEAST).cluster(Some(&file)));
    let found = least.check(target).diagnostics;
    let demand = least.plan.as_ref().map(|plan| target.reserves(plan));
    file.judged_by(found, demand.as_ref(), &driver.registry)
}
