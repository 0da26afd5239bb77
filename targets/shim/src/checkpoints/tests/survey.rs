//! Tests of incomplete scans, and of what counts as progress.
use super::{Ground, Survey, cut};
use std::cell::Cell;
use std::fs::{create_dir_all, write};
use std::time::Duration;

#[test]
fn what_cannot_be_seen_does_not_end_a_job() {
    let ground = Ground::new();
    write(ground.at("file"), "x").unwrap();
    let blind = || Survey::of(&ground.at("file"), None, &|| false).mark();
    assert!(blind().is_progress(&blind()), "no directory");
    assert!(Survey::within(0, &ground.0, None, &|| false).mark().is_progress(&ground.mark()), "too much");
}

#[test]
fn a_folder_that_holds_too_much_is_looked_at_in_part() {
    let ground = Ground::new();
    (0..5).for_each(|n| write(ground.at(&n.to_string()), "x").unwrap());
    assert!(
        Survey::within(4, &ground.0, None, &|| false).cut()
            && !Survey::within(5, &ground.0, None, &|| false).cut()
    );
}

#[test]
fn a_look_ends_when_nobody_needs_it_any_more_and_changes_nothing() {
    let ground = Ground::new();
    ground.save(1, 1);
    ground.save(2, 1);
    ground.list(&[1, 2]);
    cut(&ground.at("ckpt-2.index"), 100);
    for folder in 0..9 {
        create_dir_all(ground.at(&folder.to_string())).unwrap();
        (0..9).for_each(|file| write(ground.at(&format!("{folder}/{file}")), "x").unwrap());
    }
    let incomplete = Survey::of(&ground.0, None, &|| false).incomplete;
    let names = ground.names();
    let asked = Cell::new(0);
    for most in 0.. {
        asked.set(0);
        let before = ground.names();
        let over = || {
            asked.set(asked.get() + 1);
            asked.get() > most
        };
        let survey = Survey::of(&ground.0, Some(&incomplete), &over);
        if !survey.cut() {
            break;
        }
        // The scan may already have read the first directory.
        assert!(asked.get() <= most + 3, "{most}: {}", asked.get());
        assert!(survey.said.is_empty() == (ground.names() == before), "{most}: {:?}", survey.said);
        assert!(survey.mark().is_progress(&ground.mark()), "{most}");
    }
    assert!(asked.get() > 100 && ground.names() != names);
}

#[test]
fn an_incomplete_checkpoint_is_no_progress() {
    let ground = Ground::new();
    ground.save(1, 1);
    ground.list(&[1]);
    let before = ground.mark();
    std::thread::sleep(Duration::from_millis(20));
    ground.save(2, 1);
    cut(&ground.at("ckpt-2.data-00000-of-00001"), 10);
    assert!(!ground.mark().is_progress(&before));
}

#[test]
fn in_a_mixed_directory_each_format_tells_for_itself() {
    let ground = Ground::new();
    ground.save(1, 1);
    ground.list(&[1]);
    let before = ground.mark();
    // The same step is saved again, as an estimator does after each start.
    std::thread::sleep(Duration::from_millis(20));
    ground.save(1, 1);
    ground.list(&[1]);
    assert!(!ground.mark().is_progress(&before));
    assert_eq!(ground.settled().step(), Some(100));
    std::thread::sleep(Duration::from_millis(20));
    write(ground.at("epoch-7.pt"), "x").unwrap();
    assert!(ground.mark().is_progress(&before), "the program goes on with another format");
    assert_eq!(ground.settled().step(), None, "the newest checkpoint has no known step");
    let before = ground.mark();
    ground.save(2, 1);
    ground.list(&[1, 2]);
    assert!(ground.mark().is_progress(&before));
    assert_eq!(ground.settled().step(), Some(200));
}
