//! Tests of merging: base files, defaults of roles, and `--set`.
use crate::diagnostic::Fix;
use crate::shape::tests::{Checked, WHOLE, check, check_all, in_job};

fn with_setting(setting: &str) -> Checked {
    check_all(&[("a", WHOLE), ("--set", setting)])
}

#[test]
fn roles_inherit_target_options_that_they_have() {
    let tree = check(WHOLE).tree;
    let role = |name: &str| tree.get("job")?.get("role")?.get(name)?.get("target")?.get("site").cloned();
    let ps = role("ps").unwrap();
    assert_eq!(ps.get("annotations").unwrap().get("a.b/c").unwrap().text(), Some("d"));
    let worker = role("worker").unwrap();
    assert_eq!(worker.get("annotations").unwrap().entries().len(), 2);
    assert_eq!((worker.get("queue"), worker.get("patch")), (None, None));
}

#[test]
fn a_file_overrides_its_base() {
    let base = "job \"base\" {
        framework \"tensorflow\"
        image \"a\" pull=\"always\"
        run \"python\" \"a.py\"
        env { A \"1\"; B \"2\" }
        data \"x\" \"s3://b/x\" at=\"/x\" writable=#true
        data \"y\" \"s3://b/y\"
        allow \"one\" because=\"base\"
        allow \"two\" on=\"site\" because=\"base\"
        allow \"two\" because=\"base\"
        role \"worker\" count=4 min=2 { resources cpus=1 memory=\"1GiB\" gpus=1 }
        target \"site\" { queue \"base\"; patch \"{}\"; annotations { a \"1\"; b \"2\" } }
    }";
    let near = "extends \"base\"
    job \"near\" {
        image \"b\"
        shell \"x\"
        env { B \"3\"; C \"4\" }
        data \"x\" \"s3://b/z\"
        allow \"two\" because=\"near\"
        role \"worker\" count=8 { resources cpus=2 memory=\"2GiB\" }
        role \"ps\"
        target \"site\" { queue \"near\"; annotations { b \"3\"; c \"4\" } }
    }";
    let checked = check_all(&[("base", base), ("near", near)]);
    let file = checked.file();
    let job = &file.job.value;
    assert!(file.extends.is_none() && job.run.is_none());
    assert_eq!(checked.sources.find(job.framework.span).unwrap().name, "base");
    let image = job.image.as_ref().unwrap();
    assert_eq!((image.name.to_string().as_str(), &image.pull), ("b", &None));
    let env: Vec<_> = job.env.iter().map(|(k, v)| format!("{}={}", k.value, v.value)).collect();
    assert_eq!(env, ["A=1", "B=3", "C=4"]);
    assert!(job.data.get("x").unwrap().writable.is_none() && job.data.get("y").is_some());
    let allow: Vec<_> =
        job.allow.iter().map(|a| format!("{}: {}", a.value.feature.value, a.value.because.value)).collect();
    assert_eq!(allow, ["one: base", "two: base", "two: near"]);
    let worker = &job.role.get("worker").unwrap().value;
    assert_eq!((worker.count.as_ref().unwrap().0, worker.min.as_ref().unwrap().0), (8, 2));
    assert!(worker.resources.as_ref().unwrap().gpus.is_none());
    assert_eq!(job.role.names().collect::<Vec<_>>(), ["worker", "ps"]);
    let target = checked.tree.get("job").unwrap().get("target").unwrap().get("site").unwrap();
    assert_eq!(target.get("queue").unwrap().text(), Some("near"));
    assert_eq!(target.get("patch").unwrap().text(), Some("{}"));
    let annotations = target.get("annotations").unwrap().entries();
    let annotations: Vec<_> =
        annotations.iter().map(|e| format!("{}={}", e.key, e.tree.text().unwrap())).collect();
    assert_eq!(annotations, ["a=1", "b=3", "c=4"]);
}

#[test]
fn a_nearer_variable_replaces_a_secret_with_its_name_and_vice_versa() {
    let set = |env: &str, secret: &str| {
        let secret = if secret.is_empty() {
            String::new()
        } else {
            format!("secret \"{secret}\" from=\"s\" key=\"k\"")
        };
        format!("env {{ {env} \"x\"; O \"o\" }}\n {secret}\n")
    };
    // Each element: the base, the spec that extends the base, the merged environment variables, and the merged secrets.
    for (base, near, env, secrets) in [
        (set("A", ""), set("B", "A"), "O B", "A"),
        (set("B", "A"), set("A", ""), "B O A", ""),
        (set("A", "B"), set("B", "A"), "O B", "A"),
        (set("A", "A"), set("A", ""), "A O", ""),
        (set("B", ""), set("A", "A"), "B O A", "A"),
    ] {
        let over = check_all(&[
            ("base", &format!("job \"b\" {{ framework \"custom\"; {base} }}")),
            ("near", &format!("extends \"base\"\njob \"n\" {{ {near} role \"w\" }}")),
        ]);
        let inherited =
            check(&format!("job \"b\" {{ framework \"custom\"; {base} role \"w\" {{ {near} }} }}"));
        for checked in [over, inherited] {
            let file = checked.file();
            let role = &file.job.role.get("w").unwrap().value;
            let names: Vec<_> = role.env.iter().map(|(name, _)| &*name.value).collect();
            let kept: Vec<_> = role.secret.names().collect();
            assert_eq!((names.join(" "), kept.join(" ")), (env.into(), secrets.into()), "{base} {near}");
        }
    }
}

#[test]
fn a_field_missing_in_the_base_may_be_in_the_file() {
    let file =
        check_all(&[("base", "job \"b\" { role \"w\" }"), ("near", "job \"n\" { framework \"mxnet\" }")])
            .file();
    assert_eq!((file.job.name.as_str(), file.job.role.len()), ("n", 1));
}

#[test]
fn fields_of_an_unreadable_base_are_not_missing() {
    for base in ["\"", "jobb \"b\" { framework \"mxnet\" }"] {
        let told = check_all(&[("base", base), ("near", "job \"n\" { role \"w\" }")]).told();
        assert!(told.len() == 1 && !told[0].contains("missing-field"), "{told:?}");
    }
}

#[test]
fn a_default_of_after_does_not_apply_to_its_role() {
    let file = in_job(" after \"ps\"\n role \"ps\"\n role \"w\"").file();
    assert!(file.job.role.get("ps").unwrap().after.is_empty());
    assert_eq!(file.job.role.get("w").unwrap().after.names().collect::<Vec<_>>(), ["ps"]);
}

#[test]
fn a_setting_has_the_type_of_its_field() {
    let file = with_setting("role.worker.count=3").file();
    assert_eq!(file.job.role.get("worker").unwrap().count.as_ref().unwrap().0, 3);
    let checked = with_setting("image=x/y:2");
    let file = checked.file();
    let image = file.job.image.as_ref().unwrap();
    assert_eq!(image.name.to_string(), "x/y:2");
    assert!(image.pull_secret.is_some());
    assert_eq!(checked.sources.slice(image.name.span), "x/y:2");
    assert_eq!(with_setting("name=other").file().job.name.as_str(), "other");
    assert_eq!(with_setting("param.lr=1e-2").file().job.param.get("lr").unwrap().value.value.text, "1e-2");
    assert_eq!(with_setting("deadline=3h").file().job.deadline.as_ref().unwrap().seconds(), 10_800);
    assert_eq!(with_setting("env.NEW=a=b").file().job.env.get("NEW").unwrap().as_str(), "a=b");
    assert!(with_setting("start.gang=true").file().job.start.as_ref().unwrap().gang.as_ref().unwrap().value);
    let tree = with_setting("target.site.annotations.\"a.b/c\"=z").tree;
    let site = tree.get("job").unwrap().get("target").unwrap().get("site").unwrap();
    assert_eq!(site.get("annotations").unwrap().get("a.b/c").unwrap().text(), Some("z"));
}

#[test]
fn an_invalid_setting_is_reported_at_its_place() {
    for (setting, expected) in [
        ("role.wroker.count=3", "wroker | unknown-key: unknown `role` name `wroker`"),
        ("imgae=x", "imgae | unknown-key: unknown key `imgae`"),
        (
            "role.worker.count=many",
            "many | wrong-type: `count` must be an integer from 1 to 10000, not a string",
        ),
        ("role.worker.count=0", "0 | out-of-range: `count` is out of range: 0"),
        ("param.lr=fast", "fast | bad-setting: `fast` is not a number"),
        ("run=x", "run=x | bad-setting: `--set` cannot set `run` as a whole"),
        ("role=x", "role=x | bad-setting: `--set` cannot set `role` as a whole"),
        ("deadline", "deadline | bad-setting: missing `=` in `--set`"),
        ("deadline.x=1", "x | bad-setting: `deadline` has no fields"),
        ("target.sit.queue=x", "sit | unknown-target: unknown target `sit`"),
        ("deadline=10", "10 | bad-value: `10` has no unit"),
        ("=x", " | unknown-key: unknown key `\"\"`"),
    ] {
        assert_eq!(with_setting(setting).told(), [expected], "{setting}");
    }
}

#[test]
fn an_incomplete_key_of_a_setting_gets_a_suggestion() {
    for (setting, meant) in [
        ("lr=0.1", "did you mean `param.lr`?"),
        ("job.image=x", "did you mean `image`?"),
        ("job.role.worker.count=2", "did you mean `role.worker.count`?"),
        ("job.dedline=2h", "did you mean `deadline`?"),
        ("job.nothing=2h", "remove `job.`: a key begins with the name of a field of the job"),
        ("job.run=x", "remove `job.`: a key begins with the name of a field of the job"),
        ("role/worker/count=2", "did you mean `role.worker.count`?"),
        ("role/wrker/count=2", "did you mean `role.worker.count`?"),
        ("rol/worker/resources.cpu=2", "did you mean `role.worker.resources.cpus`?"),
        ("role/nobody/count=2", "separate the names with dots: `role.nobody.count`"),
        ("role/worker=2", "separate the names with dots: `role.worker`"),
        ("env/A=x", "did you mean `env.A`?"),
        ("role.worker.resources/cpus=2", "did you mean `role.worker.resources.cpus`?"),
        ("target/site.queue=a", "did you mean `target.site.queue`?"),
        ("worker=4", "did you mean `role.worker.count`?"),
        ("workers=4", "did you mean `role.worker.count`?"),
        ("worker.count=4", "did you mean `role.worker`?"),
        ("role.worker.cpus=4", "did you mean `role.worker.resources.cpus`?"),
        ("queue=a", "did you mean `target.site.queue`?"),
        ("site.queue=a", "did you mean `target.site.queue`?"),
        ("imgae=x", "did you mean `image`?"),
        ("role.worker.replicas=2", "did you mean `count`?"),
        ("role.worker.num-gpus=2", "did you mean `role.worker.resources.gpus`?"),
        ("run=x", "set it in a second spec that `extends` this one"),
        ("env=x", "set a single field, such as `env.PYTHONPATH=…`"),
        ("role=x", "set a single field, such as `role.chief.count=…`"),
        ("role.worker.resources=x", "set a single field, such as `role.worker.resources.cpus=…`"),
        ("target=x", "set a single field, such as `target.site.queue=…`"),
    ] {
        let checked = with_setting(setting);
        let help: Vec<_> = checked.all.iter().filter_map(|d| d.help.as_deref()).collect();
        assert_eq!(help, [meant], "{setting}");
        let fixes: Vec<_> = checked.all.iter().flat_map(|d| &d.fixes).collect();
        let [fix] = fixes.as_slice() else {
            assert!(fixes.is_empty(), "{setting}: {fixes:?}");
            continue;
        };
        let new = applied(&checked, setting, fix);
        let told = with_setting(&new).told();
        let is_known = |one: &String| {
            !["unknown-key", "unknown-target", "bad-setting"].iter().any(|code| one.contains(code))
        };
        assert!(told.iter().all(is_known), "{setting}, then {new}: {told:?}");
    }
    let many = with_setting("memory=1GiB").all;
    assert!(
        many[0].fixes.is_empty() && many[0].help.as_ref().unwrap().contains("`role.worker.resources.memory`")
    );
}

/// Returns a setting after a fix.
fn applied(checked: &Checked, setting: &str, fix: &Fix) -> String {
    let mut new = setting.to_owned();
    for edit in fix.edits.iter().rev() {
        let source = checked.sources.find(edit.span).unwrap();
        new.replace_range(source.local(edit.span), &edit.text);
    }
    new
}

/// After the fix, neither the name nor the value has white space.
#[test]
fn white_space_around_the_equals_sign_is_removed() {
    for (setting, wanted) in [
        ("role.worker.count = 3", "role.worker.count=3"),
        ("role.worker.count= 3", "role.worker.count=3"),
        ("start.gang =true ", "start.gang=true"),
        ("restart= never", "restart=never"),
        ("param.lr= 2", "param.lr=2"),
        ("image = x/y:2", "image=x/y:2"),
        ("role.worker .count=3", "role.worker.count=3"),
    ] {
        let checked = with_setting(setting);
        let [told] = checked.all.as_slice() else { panic!("{setting}: {:?}", checked.told()) };
        assert!(told.message.starts_with("white space around the "), "{}", told.message);
        assert_eq!(told.help, Some(format!("write `{wanted}`")));
        let new = applied(&checked, setting, &told.fixes[0]);
        assert_eq!(new, wanted);
        assert_eq!(with_setting(&new).told(), [""; 0], "{new}");
    }
    assert_eq!(with_setting("description= x").told(), [""; 0]);
}
