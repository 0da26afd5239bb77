//! Tests of settings of the project file and the command line.
use super::*;

#[test]
fn an_environment_sets_a_field_once_and_the_last_setting_of_a_command_line_counts() {
    let spec = "job \"a\" { framework \"custom\"; image \"x\"; run \"x\"; env { A \"0\" }
        role \"w\" count=2 { resources cpus=1 memory=\"1GiB\" } }";
    for (set, of_project, twice) in [
        (["role.w.count=3", "role.w.count=4"], 2, Some("`role.w.count` is set twice")),
        (["role.w.count=3", "role.w.count=3"], 2, Some("`role.w.count` is set twice")),
        (["image=y", "image.name=z"], 2, Some("`image.name` is set twice")),
        (["env.B=1", "env.B=2"], 2, Some("`env.B` is set twice")),
        (["env.B=1", "env.\"B\"=2"], 2, Some("`env.B` is set twice")),
        (["labels.\"a.b/c\"=1", "labels.\"a.b\"/c=2"], 2, Some("`labels.a.b/c` is set twice")),
        (["labels.\"a.b\"=1", "labels.a=2"], 2, None),
        (["role.w.count=3", "role.w.count=4"], 0, None),
        (["env.A=1", "env.B=2"], 2, None),
        (["role.w.count=3", "role.w.count=4"], 1, None),
    ] {
        let set = set.map(str::to_owned);
        let project = Some(("tfjob.kdl", of_project));
        let request = Request { set: &set, project, ..alone::request("a", spec, Format::Kdl) };
        let analysis = analyze(&request);
        let found: Vec<_> = analysis.diagnostics.iter().filter(|d| d.is_error()).collect();
        let Some(twice) = twice else {
            assert!(found.is_empty(), "{set:?}: {found:?}");
            continue;
        };
        assert_eq!((found.len(), found[0].message.as_str()), (1, twice), "{set:?}");
        let marked =
            found[0].labels.iter().map(|label| analysis.sources.find(label.span).unwrap().text.as_str());
        assert_eq!(marked.collect::<Vec<_>>(), [&set[1], &set[0]]);
    }
}
