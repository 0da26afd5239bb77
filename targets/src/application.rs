//! Commands that find the YARN application of a job by its name. Other commands of YARN need the ID of the application.
use tfjob_lang::lowered::{Phase, Step};

/// Sets `id` to the newest application of a name and a type. The arguments of the script: the name, the type, and the program of
/// awk. `yarn app -status NAME` is no source of the ID, because it leaves out the ID when the application no longer runs
/// (`ServiceClient.getStatus`).
const FIND: &str = r#"id=$(yarn application -list -appStates ALL -appTypes "$2" | awk "$3" "$1")
if [ -z "$id" ]; then
    echo "YARN lists no application of type $2 with the name $1: the job was not submitted, or YARN has removed it from its list" >&2
    exit 1
fi
"#;

/// Program of awk that prints the newest application. The first columns of the list are the ID and the name, which contains no
/// space. The ID consists of the start time of the cluster and a number.
const NEWEST: &str = r#"BEGIN { name = ARGV[1]; ARGV[1] = "" }
$2 == name && split($1, part, "_") == 3 && (part[2] + 0 > start || part[2] + 0 == start && part[3] + 0 > number) {
    start = part[2] + 0
    number = part[3] + 0
    newest = $1
}
END { print newest }"#;

/// Returns the steps that show the state and the logs of the newest application of a name. `kind`: type of the application.
pub fn steps(name: &str, kind: &str) -> [Step; 2] {
    let step = |phase, command: &str, why| {
        let script = format!("{FIND}{command} \"$id\"");
        Step::new(phase, &["sh", "-c", &script, "sh", name, kind, NEWEST], why)
    };
    [
        step(
            Phase::Status,
            "yarn application -status",
            "shows the application: state, result, and diagnostics",
        ),
        step(Phase::Logs, "yarn logs -applicationId", "shows the output of all containers"),
    ]
}
