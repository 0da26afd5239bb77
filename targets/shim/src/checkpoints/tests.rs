//! Tests of complete checkpoints, of each way in which a checkpoint can be incomplete, and of files that stay unchanged.
mod survey;
mod unlisted;

use super::fixtures::Variable::{Number, Tensor};
use super::fixtures::checkpoint;
use super::{Mark, Survey, occupied};
use std::fs::{create_dir_all, read, read_dir, read_to_string, remove_dir_all, remove_file, write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The directory of one test.
struct Ground(PathBuf);

impl Ground {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tfjob-ckpt-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        create_dir_all(&path).unwrap();
        Self(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Saves checkpoint `number` of a program with a save counter and a step counter.
    fn save(&self, number: i64, shards: usize) {
        let variables = [
            ("save_counter/.ATTRIBUTES/VARIABLE_VALUE", Number(number)),
            ("step/.ATTRIBUTES/VARIABLE_VALUE", Number(number * 100)),
            ("model/a/.ATTRIBUTES/VARIABLE_VALUE", Tensor(400)),
            ("model/b/.ATTRIBUTES/VARIABLE_VALUE", Tensor(5000)),
            ("model/c/.ATTRIBUTES/VARIABLE_VALUE", Tensor(70)),
        ];
        checkpoint(&self.at(&format!("ckpt-{number}")), shards, &variables);
    }

    fn list(&self, numbers: &[i64]) {
        let mut text = format!("model_checkpoint_path: \"ckpt-{}\"\n", numbers.last().unwrap());
        numbers.iter().for_each(|n| text += &format!("all_model_checkpoint_paths: \"ckpt-{n}\"\n"));
        numbers.iter().for_each(|n| text += &format!("all_model_checkpoint_timestamps: {n}.5\n"));
        write(self.at("checkpoint"), text).unwrap();
    }

    /// Scans twice, without a write in between.
    fn settled(&self) -> Survey {
        let incomplete = Survey::of(&self.0, None, &|| false).incomplete;
        Survey::of(&self.0, Some(&incomplete), &|| false)
    }

    fn mark(&self) -> Mark {
        Survey::of(&self.0, None, &|| false).mark()
    }

    fn mended(&self) -> (Option<(String, Option<u64>)>, Vec<String>) {
        let survey = self.settled();
        (survey.saved.map(|saved| (saved.name, saved.step)), survey.said)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn listed(&self) -> String {
        read_to_string(self.at("checkpoint")).unwrap()
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        drop(remove_dir_all(&self.0));
    }
}

fn cut(path: &Path, length: usize) {
    let bytes = read(path).unwrap();
    write(path, &bytes[..length.min(bytes.len())]).unwrap();
}

fn whole(name: &str, step: u64) -> Option<(String, Option<u64>)> {
    Some((name.to_owned(), Some(step)))
}

#[test]
fn a_whole_checkpoint_is_found_with_its_step_and_nothing_is_touched() {
    let ground = Ground::new();
    [1, 2, 3].iter().for_each(|n| ground.save(*n, 2));
    ground.list(&[2, 3]);
    let (names, list) = (ground.names(), ground.listed());
    assert_eq!(ground.mended(), (whole("ckpt-3", 300), Vec::new()));
    assert_eq!((ground.names(), ground.listed()), (names, list));
}

#[test]
fn the_newest_is_set_aside_however_it_is_torn() {
    let data = "ckpt-3.data-00001-of-00002";
    type Tear = (&'static str, fn(&Path), &'static str);
    let tears: [Tear; 7] = [
        ("ckpt-3.index", |path| remove_file(path).unwrap(), "its index file is missing"),
        ("ckpt-3.index", |path| cut(path, 0), "ckpt-3.index is truncated"),
        ("ckpt-3.index", |path| cut(path, 200), "ckpt-3.index is truncated"),
        (
            "ckpt-3.index",
            |path| {
                let mut bytes = read(path).unwrap();
                bytes[60] ^= 1;
                write(path, bytes).unwrap();
            },
            "ckpt-3.index is corrupt",
        ),
        (data, |path| remove_file(path).unwrap(), "ckpt-3.data-00001-of-00002 is missing"),
        (data, |path| cut(path, 0), "ckpt-3.data-00001-of-00002 has 0 of 5008 bytes"),
        (data, |path| cut(path, 5007), "ckpt-3.data-00001-of-00002 has 5007 of 5008 bytes"),
    ];
    for (file, tear, how) in tears {
        let ground = Ground::new();
        [1, 2, 3].iter().for_each(|n| ground.save(*n, 2));
        ground.list(&[1, 2, 3]);
        tear(&ground.at(file));
        let said = format!("checkpoint ckpt-3 is incomplete ({how}); moved to .tfjob-incomplete-ckpt-3");
        assert_eq!(Survey::of(&ground.0, None, &|| false).saved.unwrap().step, Some(200));
        assert!(ground.at("ckpt-3.data-00000-of-00002").exists(), "only looked at");
        assert_eq!(ground.mended(), (whole("ckpt-2", 200), vec![said]), "{how}");
        assert!(!ground.names().iter().any(|name| name.starts_with("ckpt-3")), "{how}");
        assert!(ground.at(".tfjob-incomplete-ckpt-3/ckpt-3.data-00000-of-00002").exists(), "{how}");
        let names: Vec<String> = [1, 2].map(|n| format!("all_model_checkpoint_paths: \"ckpt-{n}\"\n")).into();
        let times = "all_model_checkpoint_timestamps: 1.5\nall_model_checkpoint_timestamps: 2.5\n";
        assert_eq!(ground.listed(), format!("model_checkpoint_path: \"ckpt-2\"\n{}{times}", names.concat()));
        // A second repair finds nothing to do. Another incomplete checkpoint of the same name is kept next to the first.
        assert_eq!(ground.mended(), (whole("ckpt-2", 200), Vec::new()));
        ground.save(3, 2);
        ground.list(&[1, 2, 3]);
        cut(&ground.at(data), 1);
        assert!(ground.mended().1[0].ends_with("moved to .tfjob-incomplete-ckpt-3-2"));
    }
}

#[test]
fn what_somebody_writes_right_now_is_left_alone() {
    let ground = Ground::new();
    [1, 2].iter().for_each(|n| ground.save(*n, 1));
    ground.list(&[1, 2]);
    let index = ground.at("ckpt-2.index");
    let all = read(&index).unwrap();
    cut(&index, 100);
    let incomplete = Survey::of(&ground.0, None, &|| false).incomplete;
    assert_eq!(incomplete.len(), 1);
    write(&index, &all[..all.len() - 1]).unwrap();
    let (names, survey) = (ground.names(), Survey::of(&ground.0, Some(&incomplete), &|| false));
    assert_eq!(
        survey.said,
        [format!("a checkpoint in {} is incomplete, but still being written; not moved", ground.0.display())]
    );
    assert_eq!(ground.names(), names);
    write(&index, &all).unwrap();
    assert_eq!(ground.mended(), (whole("ckpt-2", 200), Vec::new()));
}

#[test]
fn a_model_or_a_cache_of_the_same_form_is_no_checkpoint_of_the_job() {
    let ground = Ground::new();
    checkpoint(&ground.at("cache"), 1, &[("a", Tensor(9))]);
    let survey = Survey::of(&ground.0, None, &|| false);
    assert_eq!((survey.saved.as_ref(), survey.incomplete.len()), (None, 0));
    let before = survey.mark();
    assert!(!ground.mark().is_progress(&before));
    checkpoint(&ground.at("cache"), 1, &[("a", Tensor(10))]);
    assert!(ground.mark().is_progress(&before), "another program's state counts");
}

#[test]
fn a_shard_that_is_longer_than_its_variables_is_whole() {
    let ground = Ground::new();
    ground.save(1, 1);
    ground.list(&[1]);
    let data = ground.at("ckpt-1.data-00000-of-00001");
    write(&data, [read(&data).unwrap(), vec![0; 9]].concat()).unwrap();
    assert_eq!(ground.mended(), (whole("ckpt-1", 100), Vec::new()));
}

#[test]
fn where_all_are_torn_the_list_is_set_aside_too() {
    let ground = Ground::new();
    [1, 2].iter().for_each(|n| ground.save(*n, 1));
    ground.list(&[1, 2]);
    [1, 2].iter().for_each(|n| cut(&ground.at(&format!("ckpt-{n}.data-00000-of-00001")), 9));
    let (newest, said) = ground.mended();
    assert_eq!((newest, said.len()), (None, 2));
    assert_eq!(
        ground.names(),
        [".tfjob-incomplete-checkpoint", ".tfjob-incomplete-ckpt-1", ".tfjob-incomplete-ckpt-2"]
    );
    assert_eq!(occupied(&ground.0), None);
}

#[test]
fn a_list_that_names_what_is_gone_names_the_newest_that_is_there() {
    let ground = Ground::new();
    [1, 2].iter().for_each(|n| ground.save(*n, 1));
    ground.list(&[1, 2, 3]);
    let (newest, said) = ground.mended();
    assert_eq!(newest, whole("ckpt-2", 200));
    assert!(
        said[0].ends_with(
            "/checkpoint contained a checkpoint that does not exist, so tfjob-shim rewrote the list"
        ),
        "{said:?}"
    );
    assert!(ground.listed().starts_with("model_checkpoint_path: \"ckpt-2\"\n"));
    // None of the listed checkpoints exists, but an unlisted one does.
    ground.list(&[7, 8]);
    assert_eq!(ground.mended().0, whole("ckpt-2", 200));
    assert!(ground.listed().starts_with("model_checkpoint_path: \"ckpt-2\"\n"));
    // An empty list, as after a power failure of the node.
    write(ground.at("checkpoint"), "").unwrap();
    assert_eq!(ground.mended().0, whole("ckpt-2", 200));
    assert!(ground.listed().starts_with("model_checkpoint_path: \"ckpt-2\"\n"));
}

#[test]
fn one_that_was_torn_before_it_was_listed_is_set_aside_and_the_list_stays() {
    let ground = Ground::new();
    [1, 2].iter().for_each(|n| ground.save(*n, 1));
    ground.list(&[1]);
    cut(&ground.at("ckpt-2.index"), 30);
    let list = ground.listed();
    assert_eq!(ground.mended().0, whole("ckpt-1", 100));
    assert_eq!((ground.listed(), ground.at("ckpt-2.index").exists()), (list, false));
    // A complete checkpoint that is not listed stays unchanged.
    ground.save(2, 1);
    assert_eq!(ground.mended(), (whole("ckpt-1", 100), Vec::new()));
    assert!(ground.at("ckpt-2.index").exists());
}

#[test]
fn what_is_not_clearly_torn_is_left_alone() {
    let ground = Ground::new();
    let leave = |files: &[(&str, &[u8])]| {
        files.iter().for_each(|(name, bytes)| write(ground.at(name), bytes).unwrap());
        let names = ground.names();
        let survey = ground.settled();
        assert_eq!((survey.said, ground.names()), (Vec::new(), names.clone()), "{names:?}");
        names.iter().for_each(|name| remove_file(ground.at(name)).unwrap());
    };
    leave(&[("vectors.index", b"faiss"), ("corpus.index", b"")]);
    leave(&[("corpus.data-1", b"x"), ("checkpoint", b"\x85\xa7params")]);
    // A list of checkpoints in another directory, and a checkpoint in the V1 format.
    ground.save(5, 1);
    cut(&ground.at("ckpt-5.index"), 30);
    let (index, data) =
        (read(ground.at("ckpt-5.index")).unwrap(), read(ground.at("ckpt-5.data-00000-of-00001")).unwrap());
    let incomplete: [(&str, &[u8]); 2] = [("ckpt-5.index", &index), ("ckpt-5.data-00000-of-00001", &data)];
    leave(&[incomplete[0], incomplete[1], ("checkpoint", b"model_checkpoint_path: \"/no/such/ckpt-5\"\n")]);
    leave(&[
        ("model-3", b"V1"),
        ("model-3.meta", b""),
        ("checkpoint", b"model_checkpoint_path: \"model-3\"\n"),
    ]);
    // The temporary directory of a worker that is not the leader.
    let beside = ground.at("workertemp_1");
    create_dir_all(&beside).unwrap();
    incomplete.iter().for_each(|(name, bytes)| write(beside.join(name), bytes).unwrap());
    assert_eq!(ground.mended(), (None, Vec::new()));
    assert!(beside.join("ckpt-5.index").exists());
}

#[test]
fn estimators_and_absolute_names_are_understood() {
    let ground = Ground::new();
    let save = |step: i64| {
        let name = format!("model.ckpt-{step}");
        checkpoint(&ground.at(&name), 2, &[("global_step", Number(step)), ("dense/kernel", Tensor(90))]);
        ground.at(&name).to_str().unwrap().to_owned()
    };
    let (old, new) = (save(0), save(1200));
    let text = |newest: &str, all: &str| format!("model_checkpoint_path: \"{newest}\"\n{all}");
    let all = |name: &str| format!("all_model_checkpoint_paths: \"{name}\"\n");
    write(ground.at("checkpoint"), text(&new, &(all(&old) + &all(&new)))).unwrap();
    assert_eq!(ground.mended(), (whole("model.ckpt-1200", 1200), Vec::new()));
    remove_file(ground.at("model.ckpt-1200.data-00000-of-00002")).unwrap();
    assert_eq!(ground.mended().0, whole("model.ckpt-0", 0));
    assert_eq!(ground.listed(), text(&old, &all(&old)));
}

#[test]
fn the_number_of_a_name_is_the_step_unless_it_counts_saves() {
    let ground = Ground::new();
    let save = |name: &str, variables: &[(&str, super::fixtures::Variable)]| {
        checkpoint(&ground.at(name), 1, variables);
        write(ground.at("checkpoint"), format!("model_checkpoint_path: \"{name}\"\n")).unwrap();
        ground.mended().0.unwrap().1
    };
    let value = "save_counter/.ATTRIBUTES/VARIABLE_VALUE";
    assert_eq!(save("ckpt-7", &[(value, Number(7)), ("w", Tensor(4))]), None);
    assert_eq!(save("ckpt-700", &[(value, Number(8)), ("w", Tensor(4))]), Some(700));
    assert_eq!(save("weights", &[("w", Tensor(4))]), None);
    let keras = "optimizer/_iterations/.ATTRIBUTES/VARIABLE_VALUE";
    assert_eq!(save("ckpt-9", &[(value, Number(9)), (keras, Number(64))]), Some(64));
    assert_eq!(save("ckpt-10", &[("step", Tensor(8)), (value, Number(1))]), Some(10));
}

#[test]
fn orbax_is_whole_under_its_own_name_only() {
    let ground = Ground::new();
    let step = |name: &str| {
        create_dir_all(ground.at(name).join("default")).unwrap();
        write(ground.at(name).join("default/_METADATA"), "{}").unwrap();
        std::thread::sleep(Duration::from_millis(20));
    };
    step("100.orbax-checkpoint-tmp-17");
    let survey = ground.settled();
    assert!(survey.saved.is_none() && survey.known && !survey.mark().is_progress(&Mark::default()));
    step("100");
    let newest = ground.mark();
    step("200.orbax-checkpoint-tmp-18");
    assert_eq!(ground.mended(), (whole("100", 100), Vec::new()));
    assert!(!ground.mark().is_progress(&newest));
    step("200");
    assert_eq!(ground.mended(), (whole("200", 200), Vec::new()));
    assert!(ground.mark().is_progress(&newest));
    assert_eq!(ground.names().len(), 4);
}

#[test]
fn any_new_or_changed_file_of_another_format_is_progress_and_a_log_is_none() {
    let ground = Ground::new();
    let mut before = Survey::of(&ground.at("none"), None, &|| false).mark();
    let mut advanced = || {
        let now = ground.mark();
        let advanced = now.is_progress(&before);
        before = now;
        advanced
    };
    assert!(!advanced());
    create_dir_all(ground.at("train/empty")).unwrap();
    let logs = ["events.out.tfevents.1.host", "train.log", "train.log.1", "x.err", "graph.pbtxt", "x.lock"];
    for name in logs.iter().chain(&[".tfjob-job-worker-0.json", ".hidden.pt", "ckpt-1.tmp", "m.pt.part"]) {
        write(ground.at(name), "x").unwrap();
    }
    write(ground.at("empty.pt"), "").unwrap();
    std::os::unix::fs::symlink("..", ground.at("train/loop")).unwrap();
    std::os::unix::fs::symlink("self", ground.at("self")).unwrap();
    assert!(!advanced());
    let names = [
        "model.keras",
        "m.weights.h5",
        "epoch-1.pt",
        "state.pkl",
        "train/a/state.json",
        "checkpoint_3",
        "w.npz",
    ];
    for (at, name) in names.iter().enumerate() {
        create_dir_all(ground.at(name).parent().unwrap()).unwrap();
        write(ground.at(name), "x").unwrap();
        assert!(advanced() && !advanced(), "{name} is new");
        write(ground.at(name), "y".repeat(at + 2)).unwrap();
        assert!(advanced() && !advanced(), "{name} is written again");
    }
    // A file with an older modification time than all others, because the clock was set back.
    write(ground.at("late.pt"), "x").unwrap();
    let old = std::fs::File::options().write(true).open(ground.at("late.pt")).unwrap();
    old.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(1)).unwrap();
    assert!(advanced() && !advanced());
    remove_file(ground.at("late.pt")).unwrap();
    assert!(!advanced(), "what is gone is no progress");
}

#[test]
fn any_cut_or_changed_byte_of_an_index_is_judged_without_a_fault_of_ours() {
    let ground = Ground::new();
    ground.save(1, 2);
    let index = ground.at("ckpt-1.index");
    let bytes = read(&index).unwrap();
    for at in 0..bytes.len() {
        write(&index, &bytes[..at]).unwrap();
        assert!(
            matches!(super::bundle::judge(&ground.at("ckpt-1"), true), super::bundle::State::Incomplete(_)),
            "{at}"
        );
        let mut other = bytes.clone();
        other[at] = other[at].wrapping_add(0x81);
        write(&index, &other).unwrap();
        super::bundle::judge(&ground.at("ckpt-1"), true);
    }
}
