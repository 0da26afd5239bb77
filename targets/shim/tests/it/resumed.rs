//! What a program goes on from, and the step in what is said.
use crate::fixtures::Variable::{Number, Tensor};
use crate::fixtures::checkpoint;
use crate::job::{Folder, alone, ended, events, run};
use serde_json::Value;
use std::path::Path;
use std::process::Output;
use tfjob_contract::{Checkpoints, Contract, Duties, Restart, RoleDuties, Run};

fn contract(path: &Path, script: &str) -> Contract {
    let mut contract = alone(Run::Shell(script.to_owned()));
    let path = path.to_str().unwrap().to_owned();
    let checkpoints = Some(Checkpoints { path, every: None, fail_if_exists: false });
    contract.duties = Some(Duties { checkpoints, ..Duties::default() });
    contract
}

fn save(folder: &Path, step: i64) {
    std::fs::create_dir_all(folder).unwrap();
    let name = format!("ckpt-{step}");
    checkpoint(&folder.join(&name), 2, &[("step", Number(step)), ("a", Tensor(50)), ("b", Tensor(90))]);
    let old = std::fs::read_to_string(folder.join("checkpoint")).unwrap_or_default();
    let all: Vec<&str> = old.lines().filter(|line| line.starts_with("all_")).collect();
    let list = format!(
        "model_checkpoint_path: \"{name}\"\n{}\nall_model_checkpoint_paths: \"{name}\"\n",
        all.join("\n")
    );
    std::fs::write(folder.join("checkpoint"), list).unwrap();
}

fn of<'e>(events: &'e [Value], event: &str) -> Vec<&'e Value> {
    events.iter().filter(|said| said["event"] == event).collect()
}

fn reason<'e>(events: &'e [Value], event: &str) -> &'e str {
    of(events, event)[0]["reason"].as_str().unwrap()
}

fn last(output: &Output) -> String {
    ended(output)
}

#[test]
fn each_start_goes_on_from_what_is_whole_and_every_line_knows_the_step() {
    let folder = Folder::new();
    let (ckpt, new) = (folder.0.join("ckpt"), folder.0.join("new"));
    save(&ckpt, 1200);
    // The program of the first run writes a newer one, of which a part is lost.
    save(&new, 1300);
    let data = "ckpt-1300.data-00000-of-00002";
    let script = format!(
        "cat {0}/checkpoint; if [ ! -e {1}/ran ]; then touch {1}/ran; cp {2}/ckpt-* {0}; \
         echo 'model_checkpoint_path: \"ckpt-1300\"' >{0}/checkpoint; echo 'all_model_checkpoint_paths: \"ckpt-1200\"' >>{0}/checkpoint; \
         echo 'all_model_checkpoint_paths: \"ckpt-1300\"' >>{0}/checkpoint; : >{0}/{data}; exit 3; fi",
        ckpt.display(),
        folder.0.display(),
        new.display()
    );
    let mut contract = contract(&ckpt, &script);
    let restart = Restart {
        always: false,
        limit: Some(3),
        within: None,
        backoff: None,
        max_backoff: Some(0),
        min_uptime: None,
        no_progress_limit: None,
        codes: Vec::new(),
    };
    contract.roles[0].duties = Some(RoleDuties { restart: Some(restart), ..RoleDuties::default() });
    let output = run(&contract, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", last(&output));
    let list = |name: &str| format!("model_checkpoint_path: \"{name}\"");
    let seen = String::from_utf8(output.stdout.clone()).unwrap();
    let newest: Vec<&str> = seen.lines().filter(|line| line.starts_with("model_")).collect();
    assert_eq!(newest, [list("ckpt-1200"), list("ckpt-1200")]);
    let events = events(&output);
    let resumes: Vec<&str> = of(&events, "resume").iter().map(|e| e["reason"].as_str().unwrap()).collect();
    assert_eq!(
        resumes,
        [
            "newest complete TensorFlow checkpoint: ckpt-1200 (step 1,200)".to_owned(),
            format!(
                "newest complete TensorFlow checkpoint: ckpt-1200 (step 1,200); checkpoint ckpt-1300 is incomplete ({data} has 0 of 58 bytes); moved to .tfjob-incomplete-ckpt-1300"
            )
        ]
    );
    assert!(events.iter().all(|event| event["step"] == 1200), "{events:?}");
    let restart = reason(&events, "restart");
    assert!(
        restart.starts_with("exited with code 3 after ")
            && restart.ends_with(" s at step 1,200; restarting in 0 s (restart 1 of 3)"),
        "{restart}"
    );
}

#[test]
fn a_task_that_does_not_lead_changes_nothing() {
    let folder = Folder::new();
    let ckpt = folder.0.join("ckpt");
    [100, 200].iter().for_each(|step| save(&ckpt, *step));
    std::fs::remove_file(ckpt.join("ckpt-200.index")).unwrap();
    let mut contract = contract(&ckpt, "exit 4");
    contract.roles[0].count = 2;
    contract.roles[0].port = 0;
    contract.framework =
        tfjob_contract::Framework { name: tfjob_contract::FrameworkName::Custom, strategy: None };
    contract.index = tfjob_contract::Source::Is("1".to_owned());
    let output = run(&contract, &[]);
    assert!(
        last(&output).starts_with("tfjob-shim: worker:1: exited with code 4 after "),
        "{}",
        last(&output)
    );
    assert!(last(&output).ends_with(" at step 100"), "{}", last(&output));
    assert!(of(&events(&output), "resume").is_empty());
    assert!(ckpt.join("ckpt-200.data-00000-of-00002").exists());
}

#[test]
fn nothing_is_said_where_no_format_is_known() {
    let folder = Folder::new();
    let said = || {
        let output = run(&contract(&folder.0, "true"), &[]);
        let events = events(&output);
        assert!(events.iter().all(|event| event.get("step").is_none()));
        of(&events, "resume").first().map(|event| event["reason"].as_str().unwrap().to_owned())
    };
    assert_eq!(said(), None, "an empty directory");
    for name in ["model.keras", "m.weights.h5", "epoch-3.pt", "state.pkl"] {
        folder.write(name, "x");
        assert_eq!(said(), None, "{name}");
    }
    std::fs::create_dir(folder.0.join("7.orbax-checkpoint-tmp-1")).unwrap();
    let none = format!("no complete TensorFlow or Orbax checkpoint in {}", folder.0.display());
    assert_eq!(said(), Some(none), "what the others are is not known");
}
