//! Runs the driver of a Spark job with a real Python, but without Spark: for every task of `main.rs`, and for jobs in which roles
//! wait for each other.
use crate::lifecycle::{End, Fate, SUBJECTS, compiled, platforms, spec, starts, terms};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Returns the output of the driver from the templates, with these arguments and this input of `lead.py`.
fn driver(arguments: &[&str], input: &str) -> String {
    let top = env!("CARGO_MANIFEST_DIR");
    let mut python = Command::new("python3")
        .args(["-B", &format!("{top}/tests/it/lifecycle/lead.py")])
        .args(arguments)
        .env("PYTHONPATH", format!("{top}/templates:{top}/tests/shared"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let done = python.wait_with_output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Returns a spec in the form that Spark supports: it restarts only the whole job, has no image, and sets no ports.
fn for_spark(job: &str, terms: &str, more: &str) -> String {
    let whole = if terms.contains("scope") { terms.replace("\"task\"", "\"job\"") } else { terms.to_owned() };
    let whole =
        whole.replace("on-failure\" ", "on-failure\" scope=\"job\" ").replace("scope=\"job\" scope", "scope");
    spec(job, &whole, more)
        .replace("    image \"ml/own:1.0\"\n    run \"./own\"", "    run \"/opt/own\"")
        .replace(" 2223", "")
        .replace(" 2224", "")
        .replace("target \"dcos\"", "target \"spark\" { master \"yarn\" }\n    target \"dcos\"")
}

#[test]
fn a_task_ends_and_starts_again_on_spark() {
    let (mut given, mut expected, mut told) = (Vec::new(), Vec::new(), Vec::new());
    for (role, job) in SUBJECTS {
        for (written, meant) in terms() {
            // On a helper, `restart` is ignored with a warning: the job continues without the helper.
            let meant = meant.filter(|_| role != "nb");
            for more in ["", "deadline \"1h\""] {
                let text = for_spark(job, written, more);
                let Some((_, lowered)) = compiled(&text).into_iter().find(|(target, _)| *target == "spark")
                else {
                    continue;
                };
                let file = platforms::json(&lowered, "job.json");
                for end in [End::Program(0), End::Program(1), End::Program(3), End::Deadline] {
                    let (code, how, times) = match end {
                        End::Program(code) => (code, serde_json::json!(code), starts(meant.as_ref(), code)),
                        End::Deadline if more.is_empty() => continue,
                        End::Deadline | End::GaveUp => (124, serde_json::json!("deadline"), Some(1)),
                    };
                    given.push(serde_json::json!([file, role, how]));
                    let fails = code != 0 && times.is_some() && (role != "nb" || end == End::Deadline);
                    expected.push(Fate { starts: times, fails });
                    told.push(format!("{job} {{ {written} }} {more}: {end:?}"));
                }
            }
        }
    }
    let seen = driver(&["fates"], &serde_json::to_string(&given).unwrap());
    let seen: Vec<(Option<u32>, bool)> = serde_json::from_str(&seen).unwrap();
    // A deadline ends restarts without a limit. It comes after more restarts than any limit in these tests allows.
    let seen =
        seen.into_iter().zip(&expected).map(|((starts, fails), expected)| match (expected.starts, starts) {
            (None, Some(5..)) => Fate { starts: None, fails: false },
            _ => Fate { starts, fails },
        });
    let all = seen.zip(&expected).zip(told);
    let wrong: Vec<_> = all
        .filter(|((seen, expected), _)| seen != *expected)
        .map(|((seen, expected), told)| format!("{told}: {seen:?}, not {expected:?}"))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), given.len(), wrong.join("\n"));
    assert!(given.len() > 300, "{}", given.len());
}

#[test]
fn a_job_whose_roles_wait_for_each_other_ends() {
    driver(&["graphs", "3000"], "");
}

#[test]
fn a_job_that_loses_executors_starts_again_and_on_nothing_old() {
    driver(&["losses", "2000"], "");
}
