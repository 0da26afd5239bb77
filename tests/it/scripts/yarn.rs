//! Scripts that find the application of a job in the list of YARN.
use super::{Place, TOOL, stand_in};
use crate::program::{code, err};
use crate::steps::JOBS;
use std::process::Output;

/// `klist` of MIT Kerberos: `-s` only tells whether there is a valid ticket.
const KLIST: &str = r#"#!/bin/sh
[ -n "$TICKET" ] || exit 1
[ "$*" = -s ] || printf 'Ticket cache: FILE:/tmp/krb5cc_1000\nDefault principal: %s\n\nValid starting\n' "$TICKET"
"#;

impl Place {
    /// Runs a script with the real `sh` and a stand-in for `yarn` that prints a list, as a user. `fails`: number of the command that
    /// fails, or 0. A user with `@` has a Kerberos ticket. Returns the commands of `yarn`.
    fn with_yarn(&self, script: &str, list: &str, user: &str, fails: &str) -> (Output, Vec<String>) {
        let tools = self.tools();
        stand_in(&tools.join("sh"), "#!/bin/sh\nexec /bin/sh \"$@\"\n");
        stand_in(&tools.join("klist"), KLIST);
        stand_in(&tools.join("yarn"), TOOL);
        let env = [
            ("SAYS", list),
            ("HADOOP_USER_NAME", user),
            ("FAILS", fails),
            ("TICKET", if user.contains('@') { user } else { "" }),
        ];
        let (done, ran) = self.run(&[&self.path(script)], &env);
        (done, ran.into_iter().map(|(_, argv)| argv.join(" ")).collect())
    }
}

/// Output of `yarn application -list`, Hadoop 3.4.2.
const LIST: &str = "Total number of applications (application-types: [yarn-service], states: [] and tags: []):4
                Application-Id\t    Application-Name\t    Application-Type\t      User\t     Queue\t             State
application_1700000000000_9999\t               mnist\t        yarn-service\t       ada\t   default\t          FINISHED
application_1700000000000_10000\t               mnist\t        yarn-service\t       ada\t   default\t           RUNNING
application_1600000000000_20000\t               mnist\t        yarn-service\t       ada\t   default\t           RUNNING
application_1700000000000_10001\t             mnist-2\t        yarn-service\t       ada\t   default\t           RUNNING
application_1700000000000_10002\t               mnist\t        yarn-service\t       bob\t   default\t           RUNNING
";

/// `yarn logs` needs the ID of the application, which only the list tells.
#[test]
fn logs_are_those_of_the_newest_application_of_the_job() {
    for (target, lines, kind) in [("yarn", JOBS[0].1, "yarn-service"), ("spark", JOBS[4].1, "SPARK")] {
        let place = Place::new("a.tfjob.kdl", "out", target, lines);
        let list = format!("yarn application -list -appStates ALL -appTypes {kind}");
        // The newest of another user is shown only if this user has none.
        for (user, number) in [("ada", 10000), ("eve", 10002)] {
            let (found, ran) = place.with_yarn("logs.sh", LIST, user, "0");
            assert!(found.status.success(), "{}", err(&found));
            let logs = format!(
                "yarn logs -applicationId application_1700000000000_{number} -log_files_pattern std(out|err).*"
            );
            assert_eq!(ran, [list.as_str(), &logs]);
        }
        let (none, _) = place.with_yarn("logs.sh", "Total number of applications: 0\n", "ada", "0");
        assert_eq!(code(&none), 1);
        assert!(err(&none).contains("YARN lists no application of type"), "{}", err(&none));
        let (failed, ran) = place.with_yarn("logs.sh", "", "ada", "1");
        assert_eq!((code(&failed), ran.as_slice()), (3, &[list][..]));
        assert!(!err(&failed).contains("\nYARN lists no application"), "{}", err(&failed));
    }
}

/// Names of applications are not unique, and an administrator may kill those of all users.
#[test]
fn a_deletion_on_spark_kills_the_running_applications_of_this_user() {
    let place = Place::new("a.tfjob.kdl", "out", "spark", JOBS[4].1);
    let list = "yarn application -list -appTypes SPARK";
    let (killed, ran) = place.with_yarn("delete.sh", LIST, "ada", "0");
    assert!(killed.status.success(), "{}", err(&killed));
    let kill = "yarn application -kill application_1700000000000_9999 application_1700000000000_10000 application_1600000000000_20000";
    assert_eq!(ran, [list, kill]);
    let running = &LIST[LIST.find("application_1700000000000_10001").unwrap()..];
    for user in ["bob", "bob@EXAMPLE.COM", "bob/host.example.com@EXAMPLE.COM"] {
        let (killed, ran) = place.with_yarn("delete.sh", running, user, "0");
        assert!(killed.status.success(), "{}", err(&killed));
        assert_eq!(ran, [list, "yarn application -kill application_1700000000000_10002"], "{user}");
    }
    // The job may run as another user, so this is not a success.
    for user in ["eve", "eve@EXAMPLE.COM"] {
        let (others, ran) = place.with_yarn("delete.sh", running, user, "0");
        assert_eq!((code(&others), ran.as_slice()), (1, &[list.to_owned()][..]));
        let told = "\neve has no running application mnist of type SPARK\napplications of other users with this name, which still run (to stop one: yarn application -kill ID):\napplication_1700000000000_10002 of bob\n";
        assert!(err(&others).contains(told), "{}", err(&others));
    }
    let (none, ran) = place.with_yarn("delete.sh", "Total number of applications: 0\n", "eve", "0");
    assert!(none.status.success() && ran == [list], "{ran:?}");
    assert!(err(&none).contains("\neve has no running application mnist of type SPARK\n"), "{}", err(&none));
    let (failed, ran) = place.with_yarn("delete.sh", "", "ada", "1");
    assert_eq!((code(&failed), ran), (3, vec![list.to_owned()]));
}
