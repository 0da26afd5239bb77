//! Tests of typical mistakes of users of other systems: their diagnostics and fixes.
use crate::shape::tests::{in_job, mends, told};

#[test]
fn an_argument_goes_by_its_node() {
    assert_eq!(
        told(" restart \"OnFailure\""),
        ["\"OnFailure\" | unknown-value: invalid value `OnFailure` for `restart`"]
    );
    mends(" restart \"OnFailure\"", " restart \"on-failure\"");
    assert_eq!(told(" restart limit=3"), ["restart | missing-field: missing value in `restart`"]);
    let help = |text: &str| in_job(text).all[0].help.clone().unwrap();
    assert!(help(" restart limit=3").starts_with("write `restart \"never\"|\"on-failure\"|\"always\"` ("));
    assert_eq!(help(" port \"x\" \"eight\""), "expected an integer from 1 to 65535, or `auto`");
    assert!(help(" port \"x\"").starts_with("write `port \"x\" NUMBER|\"auto\"` ("));
}

#[test]
fn a_word_of_other_systems_is_told_by_ours() {
    mends(" after \"ps\" when=\"completed\"\n role \"ps\"", " after \"ps\" when=\"done\"\n role \"ps\"");
    mends(" image \"a:1\" pull=\"IfNotPresent\"", " image \"a:1\" pull=\"missing\"");
    mends(" restart \"unless-stopped\"", " restart \"always\"");
}

#[test]
fn a_probe_by_number_is_not_quoted() {
    let checked = in_job(" port \"web\" 80\n ready tcp=80");
    assert_eq!(checked.told(), ["80 | bad-value: expected a port name, found the number `80`"]);
    assert!(checked.all[0].fixes.is_empty());
}

#[test]
fn an_argument_too_many_is_the_property_that_was_meant() {
    mends(" image \"a:1\" \"always\"", " image \"a:1\" pull=\"always\"");
    mends(" stop \"60s\"", " stop grace=\"60s\"");
    mends(" after \"ps\" \"done\"\n role \"ps\"", " after \"ps\" when=\"done\"\n role \"ps\"");
    let only = |text: &str| {
        let checked = in_job(text);
        let [told] = checked.all.as_slice() else { panic!("{:?}", checked.told()) };
        assert!(told.fixes.is_empty());
        told.help.clone().unwrap()
    };
    assert_eq!(only(" restart \"on-failure\" 3"), "did you mean `limit=3`?");
    assert_eq!(only(" resources 2 \"4GiB\""), "did you mean `cpus=2 memory=\"4GiB\"`?");
    let written = only(" secret \"A\" \"b\"");
    assert!(
        written.contains("`secret \"A\" from=\"…\" key=\"…\"`") && !written.contains("\"b\""),
        "{written}"
    );
    assert_eq!(only(" secret \"A\" value=\"b\""), written);
    assert_eq!(only(" port \"web\" 80 \"tcp\""), "expected `port NAME NUMBER|\"auto\" [link=STRING]`");
}

#[test]
fn a_name_as_a_property_is_read_as_the_name() {
    mends(" param lr=0.1", " param \"lr\" 0.1");
    mends(" port web=80 link=\"x\"", " port \"web\" 80 link=\"x\"");
    mends(" data train=\"hdfs://a/b\"", " data \"train\" \"hdfs://a/b\"");
    assert_eq!(told(" port 80"), ["80 | missing-value: missing name for `port`"]);
    assert_eq!(told(" data at=\"/x\""), ["data | missing-value: missing name for `data`"]);
}

#[test]
fn pairs_in_a_row_go_into_a_block() {
    mends(" labels a=\"b\" c=\"d\"", " labels { a \"b\"; c \"d\" }");
    mends(" env \"A\" \"b\"", " env { \"A\" \"b\" }");
    mends(" resources cpus=\"500m\" memory=\"1GiB\"", " resources cpus=0.5 memory=\"1GiB\"");
}

#[test]
fn arguments_in_a_field_of_their_own_go_to_the_end_of_run() {
    let helps = |text: &str| in_job(text).all.into_iter().filter_map(|told| told.help).collect::<Vec<_>>();
    let added = "append the arguments to `run`: `\"--lr\" \"0.1\"`".to_owned();
    for (line, alone) in [
        (" command \"python\" \"t.py\"\n args \"--lr\" 0.1", false),
        (" args \"--lr\" 0.1\n command \"python\" \"t.py\"", false),
        (" entrypoint \"python\" \"t.py\"\n argument \"--lr\" 0.1", false),
        (" run \"python\" \"t.py\"\n arguments \"--lr\" 0.1", true),
        (" args \"--lr\" 0.1\n run \"python\" \"t.py\"", true),
    ] {
        let helps = helps(line);
        assert!(helps.contains(&added), "{line}: {helps:?}");
        assert!(alone || helps.contains(&"did you mean `run`?".to_owned()), "{line}: {helps:?}");
        assert_eq!(helps.len(), if alone { 1 } else { 2 }, "{line}: {helps:?}");
    }
    assert_eq!(
        helps(" entrypoint \"python\"\n cmd \"t.py\"")[1],
        "`run` takes the program and all arguments, and is already set; append these arguments to it, or remove this line"
    );
}

#[test]
fn a_name_and_its_value_as_two_fields_are_one_pair() {
    for mistake in ["name \"A\" value=\"b\"", "var name=\"A\" value=\"b\""] {
        let checked = in_job(&format!(" env {{ {mistake} }}"));
        let [told] = checked.all.as_slice() else { panic!("{mistake}: {:?}", checked.told()) };
        assert_eq!(told.help.as_deref(), Some("write `A \"b\"`"), "{mistake}");
    }
    let both = told(" env { A \"1\"; name \"A\" value=\"b\" }");
    assert_eq!(both, ["\"A\" | duplicate-node: duplicate `A`"]);
}

/// The help shows one line that can be typed: only one `=`, and no `\` or comment of the other entry.
#[test]
fn a_property_on_a_line_of_its_own_is_shown_on_the_line_of_its_entry() {
    let helps = |text: &str| in_job(text).all.into_iter().filter_map(|told| told.help).collect::<Vec<_>>();
    for (mistake, shown) in [
        ("resources memory=\"1GiB\"\n\n cpus=4", "write `resources memory=\"1GiB\" cpus=4`"),
        ("resources memory=\"1GiB\"; cpus 4", "write `resources memory=\"1GiB\" cpus=4`"),
        ("resources memory=\"1GiB\" // c\n cpus=4", "write `resources memory=\"1GiB\" cpus=4`"),
        ("resources memory=\"1GiB\" /* c */\n\n cpus: 4", "write `resources memory=\"1GiB\" cpus=4`"),
        ("resources cpus=1\n memory=\"1GiB\"", "write `resources cpus=1 memory=\"1GiB\"`"),
    ] {
        let helps = helps(&format!(" {mistake}"));
        assert!(helps.iter().any(|help| help == shown), "{mistake}: {helps:?}");
    }
}
