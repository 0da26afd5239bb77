//! Tests of checkpoints that the list does not name: Keras lists only the last checkpoint.
use super::super::fixtures::Variable::{Number, Tensor};
use super::super::fixtures::checkpoint;
use super::{Ground, cut};
use std::fs::{read, remove_file, rename, write};
use std::os::unix::fs::symlink;
use std::time::Duration;

const SERIES: [(&str, [&str; 3]); 4] = [
    ("TensorFlow's tutorial", ["cp-0001.ckpt", "cp-0002.ckpt", "cp-0003.ckpt"]),
    ("Keras' documentation", ["weights.01-0.41", "weights.02-0.37", "weights.03-0.31"]),
    ("numbers in the middle", ["model_9.ckpt", "model_10.ckpt", "model_11.ckpt"]),
    ("TensorFlow's own", ["ckpt-9", "ckpt-10", "ckpt-11"]),
];

fn save(ground: &Ground, name: &str) {
    let variables = [
        ("save_counter/.ATTRIBUTES/VARIABLE_VALUE", Number(1)),
        ("model/a/.ATTRIBUTES/VARIABLE_VALUE", Tensor(900)),
    ];
    checkpoint(&ground.at(name), 1, &variables);
    std::thread::sleep(Duration::from_millis(15));
}

fn list(ground: &Ground, name: &str) {
    let text = format!("model_checkpoint_path: \"{name}\"\nall_model_checkpoint_paths: \"{name}\"\n");
    write(ground.at("checkpoint"), text).unwrap();
}

#[test]
fn where_the_listed_one_is_torn_the_series_goes_on_from_the_one_before() {
    for (what, names) in SERIES {
        let ground = Ground::new();
        names.iter().for_each(|name| save(&ground, name));
        list(&ground, names[2]);
        cut(&ground.at(&format!("{}.data-00000-of-00001", names[2])), 500);
        let (newest, said) = ground.mended();
        assert_eq!(newest.map(|(name, _)| name).as_deref(), Some(names[1]), "{what}: {said:?}");
        assert!(ground.listed().starts_with(&format!("model_checkpoint_path: \"{}\"", names[1])), "{what}");
        assert!(ground.names().iter().all(|name| !name.starts_with(names[2])), "{what}");
    }
}

#[test]
fn where_only_others_are_complete_nothing_is_touched() {
    let ground = Ground::new();
    ["cp-03-99", "cp-04-12"].iter().for_each(|name| save(&ground, name));
    list(&ground, "cp-04-12");
    cut(&ground.at("cp-04-12.data-00000-of-00001"), 500);
    let (before, text) = (ground.names(), ground.listed());
    let (newest, said) = ground.mended();
    assert_eq!((newest, ground.names(), ground.listed()), (None, before, text));
    assert!(
        said.iter()
            .any(|said| said
                .contains("tfjob-shim leaves it in place: without cp-04-12, the program may start fresh and overwrite cp-03-99, a complete checkpoint")),
        "{said:?}"
    );
    assert!(ground.settled().undecided);
}

#[test]
fn a_list_that_was_cut_short_is_written_again() {
    for text in [
        "",
        "\0\0\0",
        "model_check",
        "model_checkpoint_path: \"ckpt-2",
        "model_checkpoint_path: \"ckpt-2\"\nall_mod",
    ] {
        let ground = Ground::new();
        ["ckpt-1", "ckpt-2"].iter().for_each(|name| save(&ground, name));
        write(ground.at("checkpoint"), text).unwrap();
        let (newest, said) = ground.mended();
        assert_eq!(newest.map(|(name, _)| name).as_deref(), Some("ckpt-2"), "{text:?}");
        assert!(said.iter().any(|said| said.contains("was truncated, so ")), "{text:?}: {said:?}");
        assert!(ground.listed().starts_with("model_checkpoint_path: \"ckpt-2\"\n"), "{text:?}");
    }
}

#[test]
fn a_list_that_somebody_has_written_is_followed_or_left_alone() {
    let read = [
        "# from run 7\nmodel_checkpoint_path:\n  'ckpt-2'\n",
        "model_checkpoint_path: \"ckpt-2\"; all_model_checkpoint_paths: [\"ckpt-1\", \"ckpt-2\"]",
    ];
    let left =
        ["# begin anew\n", "\n", "model_checkpoint_path: ckpt-2\n", "model_checkpoint_path: \"ckpt-2\n"];
    for incomplete in [false, true] {
        for text in read.iter().chain(&left) {
            let ground = Ground::new();
            ["ckpt-1", "ckpt-2", "ckpt-3"].iter().for_each(|name| save(&ground, name));
            write(ground.at("checkpoint"), text).unwrap();
            let data = ground.at("ckpt-2.data-00000-of-00001");
            if incomplete {
                cut(&data, 500);
            }
            let (newest, said) = ground.mended();
            let newest = newest.map(|(name, _)| name);
            let expected = match read.iter().position(|read| read == text) {
                None => None,
                Some(_) if !incomplete => Some("ckpt-2"),
                // The second list names an older checkpoint.
                Some(at) => Some(["ckpt-3", "ckpt-1"][at]),
            };
            assert_eq!(newest.as_deref(), expected, "{text:?}: {said:?}");
            let touched = read.contains(text) && incomplete;
            assert_eq!((ground.listed() == **text, data.exists()), (!touched, !touched), "{text:?}");
        }
    }
}

#[test]
fn links_are_not_judged() {
    let ground = Ground::new();
    ["ckpt-1", "ckpt-2"].iter().for_each(|name| save(&ground, name));
    list(&ground, "ckpt-2");
    let data = ground.at("ckpt-2.data-00000-of-00001");
    let bytes = read(&data).unwrap();
    rename(&data, ground.at("elsewhere")).unwrap();
    symlink(ground.at("elsewhere"), &data).unwrap();
    remove_file(ground.at("elsewhere")).unwrap();
    let (names, text) = (ground.names(), ground.listed());
    assert_eq!(ground.mended(), (None, Vec::new()));
    assert_eq!((ground.names(), ground.listed()), (names, text));
    write(ground.at("elsewhere"), bytes).unwrap();
}

#[test]
fn a_list_that_ends_anywhere_names_the_newest_and_is_whole_again() {
    let names = ["ckpt-1", "ckpt-2", "ckpt-3"];
    let ground = Ground::new();
    names.iter().for_each(|name| save(&ground, name));
    for folder in [String::new(), format!("{}/", ground.at("").display()).replace("//", "/")] {
        let mut text = format!("model_checkpoint_path: \"{folder}ckpt-3\"\n");
        names.iter().for_each(|name| text += &format!("all_model_checkpoint_paths: \"{folder}{name}\"\n"));
        names.iter().for_each(|_| text += "all_model_checkpoint_timestamps: 1795315988.7067907\n");
        text += "last_preserved_timestamp: 1795315987.64365\n";
        for length in 0..text.len() {
            write(ground.at("checkpoint"), &text[..length]).unwrap();
            let (newest, said) = ground.mended();
            let list = ground.listed();
            assert_eq!(newest.map(|(name, _)| name).as_deref(), Some("ckpt-3"), "{length}: {said:?}");
            assert!(list.starts_with("model_checkpoint_path: \"") && list.contains("ckpt-3\""), "{list}");
            for line in list.lines() {
                let value = line.split_once(": ").unwrap().1;
                let text = value.len() > 1 && value.starts_with('"') && value.ends_with('"');
                assert!(text || value.parse::<f64>().is_ok(), "{length}: {line}");
            }
        }
    }
}

#[test]
fn a_pipe_under_the_name_of_a_file_blocks_nothing() {
    for name in ["checkpoint", "ckpt-2.index", "ckpt-2.data-00000-of-00001"] {
        let ground = Ground::new();
        ["ckpt-1", "ckpt-2"].iter().for_each(|name| save(&ground, name));
        write(ground.at("checkpoint"), "model_checkpoint_path: \"ckpt-2\"\n").unwrap();
        std::fs::remove_file(ground.at(name)).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(ground.at(name)).status().unwrap().success());
        let before = ground.names();
        let _ = ground.mended();
        // An empty shard makes a checkpoint incomplete.
        assert_eq!(ground.names() == before, !name.contains("data"), "{name}");
    }
}
