//! Commands that find the YARN application of a job by its name. Other commands of YARN need the ID of the application.
use tfjob_lang::lowered::{Phase, Step};

/// Shell line that sets `user` to the name under which YARN lists the applications of the current user. If the user has a valid
/// Kerberos ticket, this name is the primary of the Kerberos principal, because Hadoop then ignores `HADOOP_USER_NAME`. `klist`
/// prints `Default principal: …` (MIT Kerberos) or `Principal: …` (Heimdal).
macro_rules! user {
    () => {
        r#"user=; ! klist -s 2> /dev/null || user=$(klist | sed -n 's/.*rincipal: *\([^@/]*\).*/\1/p' | sed 1q); user=${user:-${HADOOP_USER_NAME:-$(id -un)}}"#
    };
}

/// Shell script that sets `id` to the ID of the newest application of a given name and type. Arguments of the script: the name, the
/// type, and the awk program [`NEWEST`]. `yarn app -status NAME` cannot be used instead, because it prints no ID after the
/// application has finished (`ServiceClient.getStatus`). The script reads the list before it runs awk, so that a failure of `yarn`
/// is not taken for an empty list.
const FIND: &str = concat!(
    r#"list=$(yarn application -list -appStates ALL -appTypes "$2") || exit
"#,
    user!(),
    r#"
id=$(printf '%s\n' "$list" | awk "$3" "$1" "$user")
if [ -z "$id" ]; then
    echo "YARN lists no application of type $2 with the name $1: the job was not submitted, or YARN has removed it from its list" >&2
    exit 1
fi
"#
);

/// Awk program that prints the ID of the newest application of a given name. Applications of the current user take precedence over
/// applications of other users. The first columns of the list are the ID, the name, the type, and the user; none of them contains a
/// space. The ID consists of the start time of the cluster and a number.
const NEWEST: &str = r#"BEGIN { name = ARGV[1]; user = ARGV[2]; ARGV[1] = ARGV[2] = "" }
$2 == name && split($1, part, "_") == 3 {
    mine = $4 == user
    later = part[2] + 0 > start || part[2] + 0 == start && part[3] + 0 > number
    if (mine > best || mine == best && later) {
        best = mine
        start = part[2] + 0
        number = part[3] + 0
        newest = $1
    }
}
END { print newest }"#;

/// Shell script that kills the running applications of a given name. It kills only applications of the current user, so that an
/// administrator does not kill those of other users. If only other users have applications of this name, the script fails: the job
/// may run as one of these users. Arguments of the script: the name, the type, and the awk program [`OWN`]. The script is one line,
/// because tfjob also prints it as a step.
const KILL: &str = concat!(
    r#"list=$(yarn application -list -appTypes "$2") || exit; "#,
    user!(),
    r#"; of() { printf '%s\n' "$list" | awk "$3" "$1" "$user" "$2"; }; "#,
    r#"ids=$(of "$1" 1 "$3"); others=$(of "$1" 0 "$3"); "#,
    r#"if [ -n "$ids" ]; then yarn application -kill $ids; exit; fi; "#,
    r#"echo "$user has no running application $1 of type $2" >&2; "#,
    r#"[ -z "$others" ] || { printf 'applications of other users with this name, which still run (to stop one: yarn application -kill ID):\n%s\n' "$others" >&2; exit 1; }"#
);

/// Awk program that prints the applications of a given name. If `own` is 1, it prints the IDs of the current user's applications.
/// Otherwise, it prints the IDs and users of other users' applications.
const OWN: &str = r#"BEGIN { name = ARGV[1]; user = ARGV[2]; own = ARGV[3] + 0; ARGV[1] = ARGV[2] = ARGV[3] = "" } $2 == name && ($4 == user) == own { print own ? $1 : $1 " of " $4 }"#;

/// Pattern of the log files that the program of a container writes. The pattern excludes the log files of YARN, because they
/// contain the launch script, with the environment of the task, and a listing of the container directory.
const OUTPUT: &str = "'std(out|err).*'";

/// Returns the steps that show the state and the logs of the newest application with this name. `kind`: type of the application.
pub fn steps(name: &str, kind: &str) -> [Step; 2] {
    let step = |phase, command: &str, why| {
        let script = format!("{FIND}{command}");
        Step::new(phase, &["sh", "-c", &script, "sh", name, kind, NEWEST], why)
    };
    let logs = format!(r#"yarn logs -applicationId "$id" -log_files_pattern {OUTPUT}"#);
    [
        step(
            Phase::Status,
            r#"yarn application -status "$id""#,
            "shows the application: state, result, and diagnostics",
        ),
        step(Phase::Logs, &logs, "shows the standard output and standard error of all containers"),
    ]
}

/// Returns the step that stops the running applications with this name. `kind`: type of the application.
pub fn kill(name: &str, kind: &str) -> Step {
    let why = "stops the running applications of this user that have the name of the job";
    Step::new(Phase::After, &["sh", "-c", KILL, "sh", name, kind, OWN], why)
}
