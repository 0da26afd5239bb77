//! A wrong value of an optional property causes no finding of a target that the entry without this property does not cause.
use super::{analyzed, loud};
use tfjob_driver::Analysis;
use tfjob_lang::shape::{Place, Shape};
use tfjob_lang::sources::Span;
use tfjob_targets::{ALL, SHAPE};

/// Entries of a job, each with only the required values.
const ENTRIES: &[&str] = &[
    "framework \"tensorflow\"",
    "image \"ml/mnist:1.0\"",
    "resources cpus=1 memory=\"1GiB\"",
    "restart \"on-failure\" limit=3",
    "keep \"failed\"",
    "checkpoints \"pvc://claim/c\" at=\"/c\"",
    "code \"https://h/x.zip\"",
    "data \"a\" \"pvc://claim/x\" at=\"/x\"",
    "files \"a\" \"https://h/x.zip\"",
    "port \"web\" 8080",
    "secret \"TOKEN\" from=\"store\" key=\"token\"",
    "tensorboard logs=\"pvc://claim/l\"",
];

/// Values, of which each property accepts some and refuses others.
const VALUES: &[&str] = &[
    "0",
    "1",
    "10",
    "-1",
    "99999999",
    "\"0s\"",
    "\"5s\"",
    "\"90d\"",
    "\"all\"",
    "\"/opt/x\"",
    "\"/srv/y\"",
    "\"q q\"",
    "#true",
    "#false",
];

/// Codes of values that the language refuses.
const WRONG: &[&str] = &["bad-value", "wrong-type", "out-of-range", "unknown-value"];

type Finding = (Span, &'static str, String);

/// Returns whether a list has a finding with the same code and message at the same place. An entry is longer with a property, so only
/// the start of its span is compared.
fn has(all: &[Finding], (at, code, message): &Finding) -> bool {
    all.iter().any(|one| one.0.start == at.start && one.1 == *code && one.2 == *message)
}

fn job(entry: &str) -> String {
    let name = entry.split(' ').next().unwrap_or(entry);
    let own = ["framework \"tensorflow\"", "image \"ml/mnist:1.0\"", "resources cpus=1 memory=\"1GiB\""];
    let rest: Vec<&str> = own.into_iter().filter(|line| !line.starts_with(name)).collect();
    // The entry is the last one, so that a property moves no other text.
    format!("job \"mnist\" {{\n run \"a\"\n role \"worker\"\n{}\n{entry}\n}}\n", rest.join("\n"))
}

#[test]
fn no_target_says_more_of_an_entry_for_a_wrong_property() {
    let (mut broken, mut wrongly) = (0, Vec::new());
    for entry in ENTRIES {
        let name = entry.split(' ').next().unwrap_or(entry);
        let object = SHAPE.block(&[("job", None)]).and_then(|job| match &job.field(name)?.shape {
            Shape::Keyed(keyed) => keyed.item.object(),
            shape => shape.object(),
        });
        let object = object.expect("a block of the job");
        let whole = analyzed("job.tfjob.kdl", &job(entry));
        let free = object.at(Place::Prop).filter(|field| !entry.contains(&format!(" {}=", field.name)));
        for field in free {
            let line = |value: &str| format!("{entry} {}={value}", field.name);
            let forms: Vec<_> =
                VALUES.iter().map(|value| (*value, analyzed("job.tfjob.kdl", &job(&line(value))))).collect();
            let accepted: Vec<_> = forms.iter().filter(|(_, analysis)| analysis.accepted()).collect();
            // If there is a fix, the value that was meant is known, and targets check this value.
            let is_wrong = |analysis: &Analysis| {
                let errors: Vec<_> = analysis.diagnostics.iter().filter(|d| d.is_error()).collect();
                !errors.is_empty()
                    && errors.iter().all(|d| WRONG.contains(&d.code.name) && d.fixes.is_empty())
            };
            for (value, analysis) in forms.iter().filter(|(_, analysis)| is_wrong(analysis)) {
                broken += 1;
                for target in ALL {
                    let whole = loud(&whole.check(*target).diagnostics);
                    // What is true of each accepted value is also true of a wrong one.
                    let valid: Vec<_> =
                        accepted.iter().map(|(_, valid)| loud(&valid.check(*target).diagnostics)).collect();
                    let is_known = |one: &Finding| {
                        has(&whole, one) || !valid.is_empty() && valid.iter().all(|all| has(all, one))
                    };
                    let found = loud(&analysis.check(*target).diagnostics);
                    let more: Vec<_> = found.iter().filter(|one| !is_known(one)).collect();
                    if !more.is_empty() {
                        wrongly.push(format!("{}: {}: {more:?}", target.name(), line(value)));
                    }
                }
            }
        }
    }
    assert!(wrongly.is_empty(), "{}", wrongly.join("\n"));
    assert!(broken > 100, "{broken}");
}
