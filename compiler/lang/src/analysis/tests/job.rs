//! Tests of errors that concern the job as a whole.
use super::{RUN, told, told_in};

#[test]
fn only_a_patch_of_a_target_is_not_counted_for_each_role() {
    let (large, roles) =
        ("x".repeat(100_000), (0..60).map(|n| format!("role \"r{n}\"\n")).collect::<String>());
    for entry in [
        "env { patch \"x\" }",
        "labels { patch \"x\" }",
        "param \"patch\" \"x\"",
        "data \"patch\" \"file:///x\"",
    ] {
        let said = told(&format!("{RUN}\n{}\n{roles}", entry.replace('x', &large)));
        assert!(said.iter().any(|line| line.ends_with("| too-large")), "{entry}");
    }
}

#[test]
fn a_role_after_all_tasks_of_the_leading_role_never_starts() {
    for count in [1, 2] {
        let roles = format!("role \"a\" count={count}\n role \"late\" {{ after \"a\" when=\"done\" }}");
        let job = format!(
            "job \"a\" {{\nframework \"custom\"\nimage \"a:1\"\n{RUN}\nsuccess \"chief\"\n{roles}\n}}\n"
        );
        assert_eq!(told_in(&[("a", &job)], &[]), ["\"done\" | waits-forever"], "{count}");
    }
}

#[test]
fn a_file_is_not_a_directory() {
    let stage = |uri: &str, path: &str| {
        told(&format!("{RUN}\n files \"s\" \"{uri}\" at=\"/s\"\n workdir \"{path}\"\n role \"worker\""))
    };
    for path in ["{files.s}", "{files.s}/", "{files.s}/sub"] {
        assert_eq!(stage("https://h/t.whl", path), ["{files.s} | unsupported-uri"], "{path}");
        assert_eq!(stage("https://h/t.tar.gz", path), [""; 0], "{path}");
    }
}

#[test]
fn a_role_after_the_roles_that_end_the_job_never_starts() {
    let job = |framework: &str, roles: &str| {
        format!("job \"a\" {{\n{framework}\nimage \"a:1\"\n{RUN}\n{roles}\n}}\n")
    };
    let custom = "framework \"custom\"";
    let helper = "helper \"h\" { run \"h\"; after \"a\" when=\"done\"; after \"b\" when=\"done\"; }";
    let late = "role \"late\" { after \"a\" when=\"done\"; after \"b\" when=\"done\"; }";
    let two = "role \"a\"\nrole \"b\"";
    let never = ["\"done\" | waits-forever"];
    for (roles, said) in [
        (format!("{two}\n{helper}"), &never as &[&str]),
        (format!("{two}\nsuccess \"all\"\n{helper}"), &never),
        (format!("{two}\nrole \"c\"\n{helper}"), &[]),
        (format!("{two}\nrole \"evaluator\"\n{}", late.replace("late", "evaluator2")), &[]),
        (format!("{two}\n{late}"), &[]),
    ] {
        assert_eq!(told_in(&[("a", &job(custom, &roles))], &[]), said, "{roles}");
    }
    let strange = helper.replace("after \"a\"", "after \"strange\" when=\"done\"; after \"a\"");
    let roles = format!("{two}\n{strange}");
    let both = ["\"strange\" | unknown-role-after", never[0]];
    assert_eq!(told_in(&[("a", &job(custom, &roles))], &[]), both);
    let servers = "framework \"tensorflow\" strategy=\"parameter-server\"";
    let late = "role \"evaluator\" { after \"worker\" when=\"done\"; }";
    let roles = format!("role \"chief\"\nrole \"worker\"\nrole \"ps\"\n{late}");
    assert_eq!(told_in(&[("a", &job(servers, &roles))], &[]), never);
}

#[test]
fn launchers_are_found_after_their_starter_and_only_some_start_the_horovod_server() {
    let job = |framework: &str, roles: &str, run: &str| {
        let run = format!("run {run}\nresources cpus=1 memory=\"1GiB\"");
        told_in(&[("a", &format!("job \"a\" {{\n{framework}\nimage \"a:1\"\n{run}\n{roles}\n}}\n"))], &[])
    };
    let torch = |run: &str| job("framework \"pytorch\"", "role \"master\"\nrole \"worker\"", run);
    assert_eq!(torch("\"timeout\" \"3600\" \"torchrun\" \"t.py\""), ["\"torchrun\" | launcher-per-task"]);
    assert_eq!(torch("\"echo\" \"torchrun\" \"t.py\""), [""; 0]);
    assert_eq!(torch("\"mpirun\" \"-np\" \"1\" \"hostname\""), [""; 0]);

    let horovod = |run: &str| job("framework \"horovod\"", "role \"worker\" count=2", run);
    let (server, launcher) = ("\"horovod\" | no-rendezvous-server", "launcher-per-task");
    assert_eq!(horovod("\"torchrun\" \"--nnodes=4\" \"--rdzv_endpoint=h:1\" \"t.py\""), [server]);
    assert_eq!(horovod("\"deepspeed\" \"--no_ssh\" \"t.py\""), [server]);
    for run in ["\"mpirun\" \"--no_ssh\" \"t.py\"", "\"horovodrun\" \"-np\" \"2\" \"t.py\""] {
        let said = horovod(run);
        assert!(said.len() == 1 && said[0].ends_with(launcher), "{said:?}");
    }
}

/// Rendering one finding takes time proportional to the length of its line, so many findings on a long line would be slow.
#[test]
fn the_number_of_errors_on_one_line_is_limited() {
    for line in [
        format!("env {{ {} }}", "A \"1\"; ".repeat(5_000)),
        "a;".repeat(5_000),
        (0..5_000).map(|n| format!("port \"p{n}\" \"x\";")).collect(),
    ] {
        let said = told(&format!("{RUN}\n role \"worker\"\n {line}"));
        assert!((500..600).contains(&said.len()), "{}", said.len());
    }
}

/// Each edit that the help offers removes the warning and causes no error.
#[test]
fn each_alternative_for_a_long_running_role_removes_the_warning() {
    let job = |roles: &str| {
        let job = format!("job \"a\" {{\nframework \"custom\"\nimage \"a:1\"\n{RUN}\n{roles}\n}}\n");
        told_in(&[("a", &job)], &[])
    };
    for name in ["ps", "server", "scheduler"] {
        let said = [format!("\"{name}\" | long-running-role")];
        assert_eq!(job(&format!("role \"a\"\nrole \"{name}\"")), said);
        assert_eq!(job(&format!("role \"a\"\nrole \"{name}\"\nsuccess \"workers\"")), said);
        for fine in [
            format!("role \"a\"\nhelper \"{name}\""),
            format!("role \"a\"\nrole \"{name}\"\nsuccess \"chief\""),
            format!("role \"a\"\nrole \"{name}\"\nsuccess \"all\""),
            format!("role \"a\" {{ after \"{name}\" when=\"done\"; }}\nrole \"{name}\""),
            format!("role \"{name}\""),
        ] {
            assert_eq!(job(&fine), [""; 0], "{fine}");
        }
    }
}

/// A helper has the port `rendezvous` only if it declares that port, and never has addresses.
#[test]
fn a_script_cannot_use_the_rendezvous_of_a_helper() {
    let job = |role: &str, helper: &str| {
        let run = |variable| format!("shell \"exec a ${variable}\"");
        let (role, helper) = (run(role), run(helper));
        told(&format!(
            " resources cpus=1 memory=\"1GiB\"\n role \"worker\" {{ {role}; }}\n helper \"board\" {{ {helper}; }}"
        ))
    };
    let port = "TFJOB_PORT_RENDEZVOUS";
    assert_eq!(job(port, "TFJOB_ADDRESSES_WORKER"), [""; 0]);
    assert_eq!(job(port, port), ["TFJOB_PORT_RENDEZVOUS | unknown-reference"]);
    let declared = job(port, &format!("{port}\"; port \"rendezvous\" 4100; workdir \"/"));
    assert_eq!(declared, [""; 0]);
    assert_eq!(job(port, "TFJOB_PORT_WEB"), ["TFJOB_PORT_WEB | unknown-reference"]);
    assert_eq!(job("TFJOB_ADDRESSES_BOARD", "HOME"), ["TFJOB_ADDRESSES_BOARD | unknown-reference"]);
}
