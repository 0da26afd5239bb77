//! What is seen in part, and what counts as progress.
use super::{Ground, Survey, cut};
use std::fs::write;
use std::time::Duration;

#[test]
fn what_cannot_be_seen_does_not_end_a_job() {
    let ground = Ground::new();
    write(ground.at("file"), "x").unwrap();
    let blind = || Survey::of(&ground.at("file"), None).mark();
    assert!(blind().is_progress(&blind()), "no directory");
    assert!(Survey::within(0, &ground.0, None).mark().is_progress(&ground.mark()), "too much");
}

#[test]
fn a_folder_that_holds_too_much_is_looked_at_in_part() {
    let ground = Ground::new();
    (0..5).for_each(|n| write(ground.at(&n.to_string()), "x").unwrap());
    assert!(Survey::within(4, &ground.0, None).cut() && !Survey::within(5, &ground.0, None).cut());
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
    // The same step again, as an estimator writes it after each start.
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
