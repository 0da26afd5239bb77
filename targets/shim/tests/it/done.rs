//! Programs that say themselves when their work is done.
use crate::able;
use crate::job::{Folder, alone, ended, environment, events, job, run, shim, stdout, text};
use std::path::Path;
use std::time::Instant;
use tfjob_contract::{Address, After, Contract, Duties, Peers, Piece, Restart, RoleDuties, Run, When};

fn saying(run: Run) -> Contract {
    let mut contract = alone(run);
    contract.roles[0].duties = Some(RoleDuties { done: true, ..RoleDuties::default() });
    contract
}

fn shell(text: &str) -> Contract {
    saying(Run::Shell(text.to_owned()))
}

#[test]
fn whoever_has_said_it_has_succeeded_however_he_ends() {
    for (end, told) in [("exit 3", "exited with code 3 after"), ("kill -9 $$", "was killed by SIGKILL after")]
    {
        let output = run(&shell(&format!("touch \"$TFJOB_DONE\"; {end}")), &[]);
        assert_eq!(output.status.code(), Some(0));
        let last = ended(&output);
        assert!(
            last.starts_with(&format!(
                "tfjob-shim: worker:0: succeeded: the program reported completion before it {told}"
            )),
            "{last}"
        );
        let said = events(&output).into_iter().find(|event| event["event"] == "done").unwrap();
        assert!(said["reason"].as_str().unwrap().starts_with("the program reported completion"));
    }
    let output = run(&shell("touch \"$TFJOB_DONE\""), &[]);
    assert_eq!((output.status.code(), &*ended(&output)), (Some(0), "tfjob-shim: worker:0: succeeded"));
}

#[test]
fn whoever_has_not_said_it_has_failed_and_each_start_says_it_anew() {
    let output = run(&shell("test ! -e \"$TFJOB_DONE\" && exit 3"), &[]);
    assert_eq!(output.status.code(), Some(3));
    let folder = Folder::new();
    let count = folder.0.join("count");
    let script = format!(
        "echo x >>{0}; test -e \"$TFJOB_DONE\" && exit 5; test $(wc -l <{0}) = 1 && touch \"$TFJOB_DONE\"; exit 4",
        count.display()
    );
    let mut contract = shell(&script);
    let terms = r#"{"always":true,"limit":1,"backoff":0}"#;
    let terms: Restart = serde_json::from_str(terms).unwrap();
    contract.roles[0].duties.as_mut().unwrap().restart = Some(terms);
    let output = run(&contract, &[]);
    assert_eq!(output.status.code(), Some(4), "{}", ended(&output));
    assert_eq!(std::fs::read_to_string(&count).unwrap().lines().count(), 2);
}

#[test]
fn whoever_goes_on_after_it_is_ended() {
    if able::skips_wait(30) {
        return;
    }
    let begun = Instant::now();
    let output = run(&shell("touch \"$TFJOB_DONE\"; exec sleep 300"), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", ended(&output));
    assert!((30..60).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    let last = ended(&output);
    assert!(
        last.starts_with(
            "tfjob-shim: worker:0: succeeded: the program reported completion before it was killed by SIGTERM"
        ),
        "{last}"
    );
    let said: Vec<_> = events(&output).into_iter().map(|event| event["reason"].clone()).collect();
    assert_eq!(said[1], "the program reported completion; it has 30 s to exit");
    assert_eq!(said[2], "stopping the program: it reported completion, but is still running");
}

#[test]
fn whoever_is_stopped_after_it_has_succeeded_and_is_not_started_again() {
    let mut contract = shell("touch \"$TFJOB_DONE\"; exec sleep 300");
    contract.duties = Some(Duties { deadline: Some(3), ..Duties::default() });
    let terms: Restart = serde_json::from_str(r#"{"always":true}"#).unwrap();
    contract.roles[0].duties.as_mut().unwrap().restart = Some(terms);
    let output = run(&contract, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", ended(&output));
    assert_eq!(events(&output).iter().filter(|event| event["event"] == "started").count(), 1);
}

#[test]
fn a_folder_that_is_swept_away_is_made_again() {
    let script = "rmdir \"${TFJOB_DONE%/done}\"; sleep 2.5; touch \"$TFJOB_DONE\"; exit 3";
    let output = run(&shell(script), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", ended(&output));
}

#[test]
fn the_file_of_a_shim_above_is_not_the_programs() {
    let folder = Folder::new();
    let path = folder.write("c", &alone(Run::Shell("test -z \"${TFJOB_DONE-}\"".to_owned())).write());
    let output = shim(&environment(&[("TFJOB_DONE", "/x")])).arg("--contract").arg(path).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn the_file_is_the_programs_own_word_too_and_nothing_of_it_stays() {
    let words = ["sh", "-c", "echo \"$1\"; test \"$1\" = \"$TFJOB_DONE\" && touch \"$1\"; exit 1", "sh"];
    let words = words.map(text).into_iter().chain([vec![Piece::Done]]).collect();
    let contract = saying(Run::Argv(words));
    let folder = Folder::new();
    let path = folder.write("c", &contract.write());
    let tmp = folder.0.to_str().unwrap();
    let with = environment(&[("TMPDIR", tmp)]);
    let output = shim(&with).arg("--contract").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", ended(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with(&format!("{tmp}/tfjob-")) && said.ends_with("/done\n"), "{said}");
    assert!(!Path::new(said.trim_end()).parent().unwrap().exists());
    let printed = shim(&with).args(["--print", "--contract"]).arg(&path).output().unwrap();
    assert!(stdout(&printed).contains(r#""TFJOB_DONE":"<done>""#), "{}", stdout(&printed));
    // A folder that is not there is not made: the next one serves.
    let elsewhere = environment(&[("TMPDIR", "/no/such")]);
    let output = shim(&elsewhere).arg("--contract").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", ended(&output));
}

#[test]
fn data_that_the_node_lacks_is_named_before_the_start() {
    let folder = Folder::new();
    let (here, lost) = (folder.0.display().to_string(), folder.0.join("lost").display().to_string());
    let mut contract = alone(Run::Shell("true".to_owned()));
    let reads = vec![here.clone(), lost.clone()];
    contract.roles[0].duties = Some(RoleDuties { reads, ..RoleDuties::default() });
    let output = run(&contract, &[]);
    let words = format!("tfjob-shim: data path {lost} of the job does not exist on this node");
    assert_eq!((output.status.code(), ended(&output)), (Some(71), words));
    let said = events(&output).into_iter().find(|event| event["event"] == "preflight").unwrap();
    assert_eq!(said["reason"], format!("data directory {here} is empty; the program is started anyway"));
    // Who starts after others may read what they have made.
    let mut contract = job();
    contract.peers =
        Peers::Template(Address { host: "127.0.0.1".to_owned(), names: [].into(), roles: [].into() });
    contract.duties = Some(Duties { wait: Some(2), ..Duties::default() });
    let after = vec![After { role: "ps".to_owned(), when: When::Ready }];
    contract.roles[1].duties = Some(RoleDuties { reads: vec![lost.clone()], after, ..RoleDuties::default() });
    let output = run(&contract, &[("TFJOB_ROLE", "worker"), ("TFJOB_INDEX", "0")]);
    assert_eq!(output.status.code(), Some(75), "{}", ended(&output));
}
