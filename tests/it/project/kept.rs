//! Output files of specs that the repository has, but the work tree does not.
use super::tampered::with_shim;
use super::write;
use crate::program::{code, err, out, run};
use std::fs;
use std::path::Path;
use std::process::Command;

fn git(dir: &Path, args: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args).current_dir(dir);
    let done = git.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn the_output_of_a_spec_that_is_not_checked_out_is_kept() {
    type Edit = fn(&Path);
    let edits: [(Edit, &str); 2] = [
        (
            |dir| git(dir, &["sparse-checkout", "set", "--no-cone", "/*", "!/jobs/more/"]),
            "`jobs/more/a.tfjob.kdl` exists, but is not compiled: the sparse checkout excludes it; to compile it, run `git \
             sparse-checkout disable`\n",
        ),
        (
            |dir| {
                git(dir, &["rm", "--quiet", "-r", "jobs/more"]);
                let module = "160000,0123456789012345678901234567890123456789,jobs/more";
                git(dir, &["update-index", "--add", "--cacheinfo", module]);
            },
            "`jobs/more/a.tfjob.kdl` may exist, but is not compiled: the submodule `jobs/more` is not checked out; to compile it, run `git \
             submodule update --init jobs/more`\n",
        ),
    ];
    for (edit, why) in edits {
        let dir = with_shim();
        let text = fs::read_to_string(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
        fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
        write(dir.path(), "jobs/more/a.tfjob.kdl", &text);
        assert_eq!(code(&run(dir.path(), &["compile"])), 0);
        git(dir.path(), &["init", "--quiet"]);
        git(dir.path(), &["add", "--all"]);
        git(dir.path(), &["commit", "--quiet", "--message", "a"]);
        assert_eq!(code(&run(dir.path(), &["compile", "--check"])), 0);
        edit(dir.path());
        let check = run(dir.path(), &["compile", "--check", "--quiet"]);
        let told = out(&check);
        assert!(code(&check) == 1 && told.matches(why).count() == 1, "{told}");
        for file in
            ["prod/a/kubernetes/tfjob.yaml", "prod/a/yarn/Yarnfile.json", "prod/_shim/default/configmap.yaml"]
        {
            assert!(told.contains(&format!("not compiled: rendered/{file}\n")), "{told}");
        }
        assert!(!told.contains("obsolete") && !told.contains("prune"), "{told}");
        let json = run(dir.path(), &["compile", "--check", "--quiet", "--format", "json"]);
        assert!(
            out(&json).contains("its spec is not checked out") && out(&json).contains(why.trim()),
            "{}",
            out(&json)
        );
        for args in [&["compile"][..], &["compile", "--prune"]] {
            let told = run(dir.path(), args);
            assert_eq!(err(&told).matches(why).count(), 1, "{}", err(&told));
            assert!(
                !err(&told).contains("kubectl delete") && !err(&told).contains("--prune"),
                "{}",
                err(&told)
            );
            assert!(dir.path().join("rendered/prod/a/kubernetes/tfjob.yaml").exists());
            assert!(dir.path().join("rendered/prod/_shim/default/configmap.yaml").exists());
        }
    }
    // A spec that is gone, in the same checkout.
    let dir = with_shim();
    git(dir.path(), &["init", "--quiet"]);
    git(dir.path(), &["add", "--all"]);
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    let told = run(dir.path(), &["compile", "--check", "--quiet"]);
    assert!(out(&told).contains("obsolete: ") && !out(&told).contains("not compiled"), "{}", out(&told));
}
