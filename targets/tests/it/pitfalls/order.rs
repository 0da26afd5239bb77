//! Start orders with three levels: no program starts before the programs for which it waits, and no task waits for a task that
//! may have finished.
use crate::pitfalls::{analyzed, compiled, found};
use serde_json::Value;
use tfjob_contract::{Contract, Readiness, Role, When};
use tfjob_lang::diagnostic::{Diagnostic, Severity};
use tfjob_lang::target::Verdict;
use tfjob_targets::ALL;

const SERVES: &str = "port \"web\" 8080; ready tcp=\"web\"";

/// Returns specs in which a worker starts after a role or helper, and that role or helper starts after another helper.
fn specs(target: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut each = |mark: &str, words: &[&str]| {
        all = all
            .iter()
            .flat_map(|text| words.iter().map(move |word| format!("{text}{mark}{word}\u{1}")))
            .collect();
    };
    each("", &["", "start timeout=\"5m\""]);
    each("", &["", "hadoop \"3.2.0\"", "hadoop \"3.4.2\""]);
    each("", &["", "restart \"always\"", SERVES]);
    each("", &["started", "ready"]);
    each("", &["ps", "b"]);
    each("", &["", "serves"]);
    each("", &["started", "ready"]);
    let network = if target == "yarn" { "network \"overlay\"" } else { "" };
    let text = |words: &String| spec(&words.split('\u{1}').collect::<Vec<_>>());
    all.iter().map(|words| text(words).replace("network \"overlay\"", network)).collect()
}

fn spec(words: &[&str]) -> String {
    let [timeout, release, first, early, middle, serves, late, ..] = words else { panic!("{words:?}") };
    let after = format!("after \"a\" when=\"{early}\"");
    let (ps, b) = match (*middle, *serves) {
        ("ps", "") => (after, String::new()),
        ("ps", _) => (format!("{after}; ready tcp=\"rendezvous\""), String::new()),
        (_, "") => (String::new(), format!("{after}; restart \"always\"")),
        (_, _) => (String::new(), format!("{after}; {SERVES}")),
    };
    let b = if *middle == "b" { format!("helper \"b\" {{ run \"b\"; {b} }}") } else { b };
    format!(
        r#"job "order" {{
    framework "tensorflow" version="2.15" strategy="parameter-server"
    image "ml/ctr:1.0"
    network "overlay"
    run "python" "train.py"
    resources cpus=1 memory="1GiB"
    {timeout}
    role "chief"
    role "worker" count=2 {{ after "{middle}" when="{late}" }}
    role "ps" {{ {ps} }}
    {b}
    helper "a" {{ run "a"; {first} }}
    target "yarn" {{ dns-domain "c"; {release} }}
}}
"#
    )
}

fn role<'c>(contract: &'c Contract, name: &str) -> &'c Role {
    contract.roles.iter().find(|role| role.name == name).unwrap_or_else(|| panic!("no role {name}"))
}

fn waits(role: &Role) -> Vec<(&str, When)> {
    let after = role.duties.iter().flat_map(|duties| &duties.after);
    after.map(|after| (after.role.as_str(), after.when)).collect()
}

/// Fails if a task can start too early. A waiting shim reports its wait on the rendezvous port; a DNS name alone shows nothing.
fn no_program_is_early(contract: &Contract, text: &str) {
    for later in &contract.roles {
        for (first, when) in waits(later) {
            let first = role(contract, first);
            let supports =
                when == When::Ready && matches!(contract.readiness(first), Readiness::Answers { .. });
            for behind in if first.port == 0 && !supports { waits(first) } else { Vec::new() } {
                assert!(waits(later).contains(&behind), "{} and {behind:?}: {text}", later.name);
            }
        }
    }
}

/// Fails if a YARN component depends on a component whose task itself waits: YARN counts a running container, or an open port, as
/// a started task.
fn no_component_is_early(contract: &Contract, service: &Value, text: &str) {
    let meets = contract.duties.as_ref().is_some_and(|duties| duties.wait.is_some());
    for component in service["components"].as_array().into_iter().flatten() {
        for first in component["dependencies"].as_array().into_iter().flatten() {
            let first = role(contract, first.as_str().unwrap_or_default());
            let holds = !waits(first).is_empty() || meets && first.port != 0;
            assert!(!holds, "{} depends on {}: {text}", component["name"], first.name);
        }
    }
}

#[test]
fn no_task_starts_before_those_that_it_waits_for() {
    for target in ["yarn", "kubernetes"] {
        let mut taken = 0;
        for text in specs(target) {
            let (_, lowered) = compiled(&analyzed(&text), target);
            let Some(lowered) = lowered else { continue };
            taken += 1;
            let (contract, _) = lowered.contract.as_ref().unwrap_or_else(|| panic!("no contract: {text}"));
            assert_eq!(contract.first_unsupported_duty(), None, "{text}");
            no_program_is_early(contract, &text);
            if target == "yarn" {
                let service = serde_json::from_str(&lowered.artifacts[0].text).unwrap_or_default();
                no_component_is_early(contract, &service, &text);
            }
        }
        assert!(taken > 100, "{target} takes {taken} of {}", specs(target).len());
    }
}

/// Returns whether a message reports that a task would wait indefinitely for a finished task.
fn waits_forever(message: &str) -> bool {
    ["would wait for it", "would wait indefinitely"].iter().any(|part| message.contains(part))
}

/// A finished task has no DNS name any more, so a task that looks up the name of a finished helper would wait indefinitely.
#[test]
fn nobody_waits_in_the_shim_for_a_helper_that_may_be_gone() {
    for target in ["yarn", "kubernetes"] {
        let mut refused = 0;
        for text in specs(target) {
            let (errors, lowered) = compiled(&analyzed(&text), target);
            let stays =
                text.contains("helper \"a\" { run \"a\"; p") || text.contains("helper \"a\" { run \"a\"; r");
            let Some(lowered) = lowered else {
                let gone = errors.iter().any(|error| waits_forever(&error.message));
                assert!(!(gone && stays), "{target}: {errors:#?}\n{text}");
                refused += u32::from(gone);
                continue;
            };
            let contract = lowered.contract.map(|(contract, _)| contract);
            let waited = contract.iter().flat_map(|contract| &contract.roles).flat_map(waits);
            assert!(stays || waited.into_iter().all(|(first, _)| first != "a"), "{target}: {text}");
        }
        assert!(refused > 0, "{target}");
    }
}

/// Without a rendezvous, no task waits for its peers, so each role of such a framework may finish early, as a helper may.
#[test]
fn nobody_waits_in_the_shim_for_a_role_without_a_rendezvous_that_may_be_gone() {
    for (framework, first, stays) in [
        ("custom", "", false),
        ("caffe", "", false),
        ("custom", "restart \"on-failure\"", false),
        ("custom", SERVES, true),
        ("caffe", SERVES, true),
    ] {
        let text = format!(
            "job \"j\" {{ framework \"{framework}\"; image \"i:1\"; run \"a\"; resources cpus=1 memory=\"1GiB\"; helper \"s\" {{ {SERVES} }}; role \"a\" {{ after \"s\" when=\"started\"; {first} }}; role \"b\" {{ after \"a\" when=\"started\" }}; target \"yarn\" {{ hadoop \"3.3.6\"; dns-domain \"c\" }} }}"
        );
        let (errors, lowered) = compiled(&analyzed(&text), "yarn");
        let gone = errors.iter().any(|error| waits_forever(&error.message));
        assert_eq!((lowered.is_some(), gone), (stays, !stays), "{text}\n{errors:#?}");
    }
}

/// If YARN restarted a component after its success, the service would not end, although the shims of all tasks have ended.
#[test]
fn no_component_holds_a_service_that_the_shims_end() {
    for (release, policy) in
        [("", "ON_FAILURE"), ("hadoop \"3.2.0\"", "ON_FAILURE"), ("hadoop \"3.4.2\"", "ALWAYS")]
    {
        let text = spec(&["", release, "restart \"always\"", "started", "b", "serves", "ready"]);
        let text =
            text.replace("after \"a\" when=\"started\"; ", "").replace("after \"b\" when=\"ready\"", "");
        let (errors, lowered) = compiled(&analyzed(&text), "yarn");
        let lowered = lowered.unwrap_or_else(|| panic!("{errors:#?}\n{text}"));
        let service: Value = serde_json::from_str(&lowered.artifacts[0].text).unwrap_or_default();
        let find = |name: &str| {
            service["components"]
                .as_array()
                .into_iter()
                .flatten()
                .find(|found| found["name"] == name)
                .cloned()
        };
        let component = find("a").unwrap_or_default();
        assert_eq!(component["restart_policy"], policy, "{text}");
        let duties = role(&lowered.contract.unwrap_or_else(|| panic!("no contract")).0, "a").duties.clone();
        let again = duties.and_then(|duties| duties.restart).is_some_and(|restart| restart.always);
        assert_eq!(again, policy == "ON_FAILURE", "the shim starts it again: {text}");
    }
}

/// If the shims end a service, they must find out when its tasks have finished, and need a DNS domain for that. tfjob never writes
/// a contract that the shim refuses.
#[test]
fn a_service_that_the_shims_end_has_a_domain() {
    let alone = |words: &str| {
        format!(
            "job \"a\" {{ framework \"tensorflow\"; image \"i:1\"; run \"a\"; resources cpus=1 memory=\"1GiB\"; role \"worker\"; helper \"h\"; target \"yarn\" {{ {words} }} }}"
        )
    };
    for words in
        ["dns-domain \"c\"", "hadoop \"3.3\"", "hadoop \"3.3.6\"", "hadoop \"3.3.6\"; dns-domain \"c\""]
    {
        let (errors, lowered) = compiled(&analyzed(&alone(words)), "yarn");
        assert!(lowered.is_some(), "{words}: {errors:#?}");
        assert_eq!(lowered.and_then(|lowered| lowered.contract?.0.first_unsupported_duty()), None, "{words}");
    }
    for words in ["", "hadoop \"3.2.0\""] {
        let (errors, lowered) = compiled(&analyzed(&alone(words)), "yarn");
        assert!(lowered.is_none());
        assert_eq!(
            errors.iter().map(|error| error.code.name).collect::<Vec<_>>(),
            ["unsupported-feature"],
            "{words}"
        );
        let helps = errors[0].help.clone().unwrap_or_default();
        assert!(helps.contains("hadoop \"3.3\"") && helps.contains("dns-domain \"example.com\""), "{helps}");
    }
}

/// A helper that waits for a helper without a port also waits for all helpers before that one, so the number of waits grows with
/// the square of the length of the chain.
#[test]
fn a_long_chain_of_helpers_costs_no_more_than_its_waits() {
    let chain = |length: usize| {
        let one = |number: usize| {
            let after = if number == 0 {
                String::new()
            } else {
                format!("after \"h{}\" when=\"started\"; ", number - 1)
            };
            format!("helper \"h{number}\" {{ {after}restart \"always\"; }}\n")
        };
        let helpers: String = (0..length).map(one).collect();
        format!(
            "job \"a\" {{ framework \"tensorflow\"; image \"i:1\"; run \"a\"; resources cpus=1 memory=\"1GiB\"; role \"worker\"; network \"o\"; target \"yarn\" {{ dns-domain \"c\"; }}\n{helpers} }}"
        )
    };
    let (errors, lowered) = compiled(&analyzed(&chain(60)), "yarn");
    let lowered = lowered.unwrap_or_else(|| panic!("{errors:#?}"));
    let contract = lowered.contract.unwrap_or_else(|| panic!("no contract")).0;
    assert_eq!(waits(role(&contract, "h59")).len(), 59);
    let (errors, lowered) = compiled(&analyzed(&chain(900)), "yarn");
    assert!(lowered.is_none());
    let codes: Vec<_> = errors.iter().map(|error| error.code.name).collect();
    assert_eq!(codes, ["too-large"], "{errors:#?}");
}

/// `start timeout` applies if a task waits in the shim for its peers, or for a role that starts earlier. If no task waits in the
/// shim, or the platform itself waits indefinitely, a warning at `start timeout` reports it.
#[test]
fn no_start_timeout_is_lost() {
    let serves = format!("helper \"s\" {{ {SERVES} }}");
    let after = format!("{serves}; role \"worker\" {{ after \"s\" when=\"started\" }}");
    let ready = format!("{serves}; role \"worker\" {{ after \"s\" when=\"ready\" }}");
    let tensorflow = "tensorflow\" version=\"2.15\" strategy=\"";
    let mut bounded = 0;
    for (framework, roles) in [
        ("custom", "role \"worker\" count=2"),
        ("custom", "role \"worker\" count=2 { env { A \"{addresses.worker}\" } }"),
        ("custom", "role \"worker\"; role \"chief\""),
        ("custom", "role \"worker\""),
        ("custom", "role \"worker\"; helper \"h\""),
        ("custom", &after),
        ("custom", &ready),
        ("caffe", "role \"worker\" count=2"),
        ("caffe", &after),
        ("pytorch", "role \"master\"; role \"worker\""),
        ("pytorch", "role \"master\""),
        (&format!("{tensorflow}custom"), "role \"worker\" count=2"),
        (&format!("{tensorflow}custom"), "role \"worker\"; role \"ps\""),
        (&format!("{tensorflow}single"), "role \"worker\""),
        (&format!("{tensorflow}single"), "role \"worker\"; role \"evaluator\""),
        (&format!("{tensorflow}mirrored"), &after),
        (&format!("{tensorflow}mirrored"), &ready),
        (&format!("{tensorflow}multi-worker-mirrored"), "role \"worker\" count=2"),
    ] {
        let text = format!(
            "job \"j\" {{ framework \"{framework}\"; image \"i:1\"; run \"a\"; resources cpus=1 memory=\"1GiB\"\nstart timeout=\"5m\"\n{roles}\ntarget \"yarn\" {{ hadoop \"3.3.6\"; dns-domain \"c\" }}\ntarget \"dcos\" {{ shim url=\"https://f.example.com/shim\" }}\n}}"
        );
        let waits = roles.contains("count=2") || roles.matches("role").count() > 1 || roles.contains("after");
        let waits = waits && !roles.contains("evaluator");
        for target in tfjob_targets::ALL.iter().map(|target| target.name()) {
            let analysis = analyzed(&text);
            let (all, lowered) = found(&analysis, target);
            let Some(lowered) = lowered else { continue };
            let warned = |d: &Diagnostic| d.code.severity == Severity::Warning;
            let told = all.iter().any(|d| warned(d) && analysis.sources.slice(d.span()).contains("5m"));
            let contract = lowered.contract.map(|(contract, _)| contract);
            // On Spark, the driver waits and not the shim.
            let driver = lowered.artifacts.iter().any(|file| file.text.contains("\"wait\": 300"));
            let bound = driver || contract.and_then(|contract| contract.duties?.wait).is_some();
            assert!(
                bound && waits || told,
                "{target}: nothing bounds the waiting, and nothing says so: {text}"
            );
            assert!(!(waits && bound && told), "{target}: it is told without need: {text}\n{all:#?}");
            bounded += u32::from(bound && waits);
        }
    }
    assert!(bounded > 20, "{bounded}");
}

/// tfjob reports that all tasks restart together only if all of them do.
#[test]
fn a_role_that_restarts_alone_is_not_said_to_restart_with_the_others() {
    let job = |own: &str, all: &str| {
        format!(
            "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"ml/a:1\"\n\
             run \"python\" \"a.py\"\nresources cpus=1 memory=\"1GiB\"\n{all}\nrole \"chief\"\nrole \"worker\" count=2 {{ {own} }}\n\
             target \"yarn\" {{ hadoop \"3.3\"; dns-domain \"x.y\"; }}\n}}\n"
        )
    };
    let restart = "restart \"on-failure\"";
    for target in ["yarn", "dcos", "local"] {
        let said = |text: &str| {
            let target = ALL.iter().find(|known| known.name() == target).expect("a target of ours");
            let verdicts = analyzed(text).check(*target).verdicts;
            verdicts.iter().any(|(.., verdict)| match verdict {
                Verdict::Emulated(how) => {
                    ["a role without `restart`", "roles without `restart`", "has no `restart`"]
                        .iter()
                        .any(|part| how.contains(part))
                }
                Verdict::Native | Verdict::Ignored(_) | Verdict::Unsupported(_) => false,
            })
        };
        assert_eq!((said(&job(restart, "")), said(&job("", restart))), (true, false), "{target}");
    }
}
