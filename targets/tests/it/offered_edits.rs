//! Tests of the edits that findings of targets, and findings about cluster files, offer.
use tfjob_driver::{Batch, Driver, Request};
use tfjob_targets::REGISTRY;

static DRIVER: Driver = Driver::new(REGISTRY);

/// Returns the text after the first fix of the finding with this message.
fn edited(text: &str, batch: &Batch, message: &str) -> String {
    let found = batch.diagnostics.iter().find(|found| found.message.contains(message));
    let Some(found) = found else { panic!("{message}: {:?}", batch.diagnostics) };
    let Some(fix) = found.fixes.first() else { panic!("{message}: no fix: {found:?}") };
    let mut text = text.to_owned();
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| edit.span.start);
    for edit in edits.iter().rev() {
        let range = batch.sources.find(edit.span).expect("an edit is in a text").local(edit.span);
        text.replace_range(range, &edit.text);
    }
    text
}

/// Returns the findings about a job in which the chief decides success, and the job.
fn with_chief(target: &str, options: &str, restart: &str) -> (Batch, String) {
    let job = format!(
        "job \"a\" {{ framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"; image \"a/b:1\"; run \"python\" \"/a.py\"
        resources cpus=1 memory=\"1GiB\"; role \"worker\"; role \"ps\"; target \"{target}\" {options}
        role \"chief\" {{ {restart}; }} }}"
    );
    (DRIVER.check(&Request::new("a.tfjob.kdl", &job)).batch, job)
}

#[test]
fn restarts_that_never_end_are_limited_to_failures() {
    let allow = "; allow \"restart\" because=\"it is submitted again\"";
    for (target, options, message) in [
        ("kubernetes", allow, "with `restart \"always\"`"),
        ("yarn", "{ dns-domain \"a.b\"; }", "the job would never complete"),
    ] {
        let (batch, wrong) = with_chief(target, options, "restart \"always\" backoff=\"5s\"");
        let right = wrong.replace("always", "on-failure");
        assert_eq!(edited(&wrong, &batch, message), right, "{target}");
        let again = DRIVER.check(&Request::new("a.tfjob.kdl", &right)).batch.diagnostics;
        assert!(!again.iter().any(|found| found.is_error()), "{target}: {again:#?}");
    }
}

/// The operator does not replace a chief, or a worker with `limit`, so the edit would lead to another error.
#[test]
fn the_edit_of_a_restart_is_accepted_by_kubernetes() {
    let (batch, _) = with_chief("kubernetes", "", "restart \"always\"");
    let found = batch.diagnostics.iter().find(|found| found.message.contains("`restart \"always\"`"));
    assert!(found.is_some_and(|found| found.fixes.is_empty()), "{:#?}", batch.diagnostics);
    let job = |restart: &str| {
        format!(
            "job \"a\" {{ framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"; image \"a/b:1\"; run \"python\" \"/a.py\"
            resources cpus=1 memory=\"1GiB\"; role \"worker\" count=2 {{ {restart}; }}; target \"kubernetes\"; }}"
        )
    };
    for properties in ["", " limit=3", " limit=3 backoff=\"5s\""] {
        let wrong = job(&format!("restart \"always\"{properties}"));
        let checked = DRIVER.check(&Request::new("a.tfjob.kdl", &wrong));
        let fixed = edited(&wrong, &checked.batch, "`restart \"always\"`");
        assert_eq!(fixed, job("restart \"on-failure\""), "{properties}");
        let again = DRIVER.check(&Request::new("a.tfjob.kdl", &fixed)).batch.diagnostics;
        assert!(!again.iter().any(|found| found.is_error()), "{fixed}: {again:#?}");
    }
}

#[test]
fn a_domain_that_is_missing_is_added_to_the_block_of_the_target() {
    let job = |options: &str| {
        format!(
            "job \"a\" {{ framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"; image \"a/b:1\"; run \"python\" \"/a.py\"
            resources cpus=1 memory=\"1GiB\"; role \"worker\" count=2; target \"yarn\"{options}; }}"
        )
    };
    let wrong = job("");
    let checked = DRIVER.check(&Request::new("a.tfjob.kdl", &wrong));
    let fixed = edited(&wrong, &checked.batch, "`dns-domain`");
    assert_eq!(fixed, job(" { dns-domain \"example.com\"; }"));
}

#[test]
fn an_entry_of_a_cluster_file_is_corrected_or_removed() {
    let file = |lines: &str| format!("cluster \"k\" target=\"kubernetes\" {{\n{lines}}}\n");
    let nodes = "    nodes \"a\" count=2 cpus=8 memory=\"64GiB\"\n";
    for (wrong, message) in [
        (nodes.replace("nodes", "node"), "unknown entry `node`"),
        (format!("{nodes}    dns-domain \"a.b\"\n"), "does not use `dns-domain`"),
    ] {
        let wrong = file(&wrong);
        let found = crate::request::cluster(&wrong);
        let batch = Batch { sources: found.sources.clone(), diagnostics: found.diagnostics.clone() };
        assert_eq!(edited(&wrong, &batch, message), file(nodes));
    }
}

#[test]
fn an_alias_of_a_target_is_written_as_an_object() {
    let spec = |target: &str| format!("job:\n  name: a\n  target: {target}\n");
    for (alias, help, object) in [
        ("k8s", "did you mean `kubernetes`? write it as `{ kubernetes: {} }`", "{ kubernetes: {} }"),
        ("[k8s]", "write it as `{ kubernetes: {} }`", "{ kubernetes: {} }"),
        ("[\"kube\", k8s]", "write it as `{ kubernetes: {} }`", "{ kubernetes: {} }"),
        ("[local, k8s]", "write it as `{ local: {}, kubernetes: {} }`", "{ local: {}, kubernetes: {} }"),
    ] {
        let wrong = spec(alias);
        let checked = DRIVER.check(&Request::new("a.tfjob.yaml", &wrong));
        let found = checked.batch.diagnostics.iter().find(|found| found.message.contains("`target` must be"));
        assert_eq!(found.and_then(|found| found.help.as_deref()), Some(help), "{alias}");
        assert_eq!(edited(&wrong, &checked.batch, "`target` must be"), spec(object));
    }
}
