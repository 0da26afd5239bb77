//! The step that tells whether Kueue manages TFJobs.
use super::{Place, stand_in};
use crate::program::{code, err, out};

/// Configurations of Kueue, the exit code of `submit.sh`, and a text in its output.
const CASES: [(&str, i32, &str); 5] = [
    (
        "integrations:\n  frameworks:\n  - \"batch/job\"\n  - \"kubeflow.org/tfjob\"\n",
        0,
        "yes: Kueue manages TFJobs",
    ),
    ("integrations:\n  frameworks: [batch/job, kubeflow.org/tfjob]  # all\n", 0, "yes: Kueue manages TFJobs"),
    (
        "integrations:\n  frameworks:\n  - \"batch/job\"\n#  - \"kubeflow.org/tfjob\"\n",
        1,
        "\nno: integrations.frameworks",
    ),
    ("", 0, "\nunknown: the namespace kueue-system has no configuration of Kueue"),
    (
        "Error from server (Forbidden): configmaps",
        0,
        "skipped: kubectl --namespace kueue-system get configmap kueue-manager-config (",
    ),
];

/// Records its arguments. Prints the configuration of Kueue, or fails with an error of the API server.
const KUBECTL: &str = r#"#!/bin/sh
printf '%s\0' . kubectl "$@" >>"$RAN"
printf '\001' >>"$RAN"
case $*,$SAYS in
*configmap*,Error*) printf '%s\n' "$SAYS" >&2 && exit 1 ;;
*configmap*) printf '%s' "$SAYS" ;;
esac
"#;

#[test]
fn a_job_is_not_submitted_if_kueue_does_not_manage_it() {
    let place =
        Place::new("a.tfjob.kdl", "out", "kubernetes", "target \"kubernetes\" { local-queue \"q\"; }");
    let tools = place.tools();
    stand_in(&tools.join("sh"), "#!/bin/sh\nexec /bin/sh \"$@\"\n");
    stand_in(&tools.join("kubectl"), KUBECTL);
    let (dry, ran) = place.run(&[&place.path("submit.sh"), "--dry-run"], &[]);
    let line = "\nkubectl --namespace kueue-system get configmap kueue-manager-config  # checks that Kueue manages TFJobs\n";
    assert!(
        out(&dry).contains(line) && !out(&dry).contains("sh -c") && ran.is_empty(),
        "{}{ran:?}",
        out(&dry)
    );
    for (config, expected, told) in CASES {
        let (done, ran) = place.run(&[&place.path("submit.sh")], &[("SAYS", config)]);
        let text = format!("\n{}\n{}", out(&done), err(&done));
        assert_eq!(code(&done), expected, "{config}: {text}");
        assert!(text.contains(told), "{config}: {text}");
        let creates = ran.iter().any(|(_, argv)| argv.iter().any(|word| word == "create"));
        assert_eq!(creates, expected == 0, "{config}: {ran:?}");
    }
}
