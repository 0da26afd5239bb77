//! Keywords of other systems and their equivalents in a spec: the help suggests only the equivalent, and the suggestion is accepted
//! without another diagnostic.
use super::Judged;
use crate::pitfalls::{analyzed, found};
use tfjob_lang::diagnostic::Diagnostic;

/// Returns a job with a chief, two workers, and a parameter server; the workers have this value in `env` and these arguments.
fn job(env: &str, arguments: &str) -> String {
    let role = |name: &str, lines: &str| {
        format!("role \"{name}\" {{ resources cpus=4 memory=\"8GiB\"\n{lines}\n}}\n")
    };
    let worker = format!("count 2\nenv {{ LR \"0.1\"; X {env}; }}\nrun \"python\" \"t.py\" {arguments}");
    format!(
        "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\nimage \"a:1\"\n\
         param \"epochs\" 3\nrun \"python\" \"t.py\" \"{{param.epochs}}\"\n{}{}{}}}\n",
        role("chief", ""),
        role("worker", &worker).replacen("count 2\n", "", 1).replacen("\"worker\"", "\"worker\" count=2", 1),
        role("ps", "")
    )
}

/// Returns the references that a diagnostic suggests, in its help and in its fixes.
fn offered(finding: &Diagnostic) -> Vec<String> {
    let quoted = finding.help.iter().flat_map(|help| help.split('`').skip(1).step_by(2)).map(str::to_owned);
    let typed = finding.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.text.clone()));
    let reference = |text: &String| text.contains('{') && text != "{{" && text != "{";
    quoted.chain(typed).filter(reference).collect()
}

/// A value in `env`, the references that have the same meaning, and, if no reference has, a part of the help.
const IN_ENV: &[(&str, &[&str], &str)] = &[
    ("{rank}", &["{index}"], ""),
    ("{RANK}", &["{index}"], ""),
    ("{task_index}", &["{index}"], ""),
    ("{role.index}", &["{index}"], ""),
    ("{worker.index}", &["{index}"], ""),
    ("{task.index}", &["{index}"], ""),
    ("{task.role}", &["{role}"], ""),
    ("{role.name}", &["{role}"], ""),
    ("{job.name}", &["{job}"], ""),
    ("{job_name}", &["{job}"], ""),
    ("{world_size}", &["{count}"], ""),
    ("{WORLD_SIZE}", &["{count}"], ""),
    ("{replicas}", &["{count}"], ""),
    ("{num_workers}", &["{count.worker}"], ""),
    ("{worker.count}", &["{count.worker}"], ""),
    ("{host}", &["{address}"], ""),
    ("{hostname}", &["{address}"], ""),
    ("{node}", &["{address}"], ""),
    ("{hosts.worker}", &["{addresses.worker}"], ""),
    ("{address.ps}", &["{addresses.ps}", "{address}"], ""),
    ("{worker.addresses}", &["{addresses.worker}"], ""),
    ("{ps_hosts}", &["{addresses.ps}"], ""),
    ("{workers}", &["{addresses.worker}", "{count.worker}"], ""),
    ("{worker}", &["{addresses.worker}", "{count.worker}"], ""),
    ("{num_gpus}", &["{gpus}"], ""),
    ("{gpu}", &["{gpus}"], ""),
    ("{idx}", &["{index}"], ""),
    ("{epochs}", &["{param.epochs}"], ""),
    ("{HOME}", &["{env.HOME}"], ""),
    ("{user}", &["{env.USER}"], ""),
    ("{cpus}", &[], "write the value itself"),
    ("{cpu}", &[], "write the value itself"),
    ("{memory}", &[], "write the value itself"),
    ("{resources.cpus}", &[], "write the value itself"),
    ("{date}", &[], "write the value itself"),
    ("{mode}", &[], "references start with"),
    ("{LR}", &[], "`LR` is set in `env`"),
    ("${LR}", &[], "`LR` is set in `env`"),
    ("$LR", &[], "`LR` is set in `env`"),
    ("${PYTHONPATH}:/x", &["{env.PYTHONPATH}"], ""),
    ("$PYTHONPATH:/x", &["{env.PYTHONPATH}"], ""),
];

/// Like `IN_ENV`, for arguments of `run`.
const IN_RUN: &[(&str, &[&str], &str)] = &[
    ("{LR}", &[], "`LR` is set in `env`"),
    ("--lr=$LR", &[], "`LR` is set in `env`"),
    ("--n={rank}", &["{index}"], ""),
    ("--out=${OUT}", &["${{OUT}", "{env.OUT}"], ""),
];

/// Returns the fault, if any, in the suggestions for `written`, which `spec` contains.
fn fault(spec: &str, written: &str, right: &[&str], says: &str) -> Option<String> {
    let judged = Judged::of(spec, "");
    let [finding] = judged.findings.as_slice() else {
        let told: Vec<_> = judged.findings.iter().map(|d| &d.message).collect();
        return Some(format!("{written}: one finding is expected: {told:?}"));
    };
    let help = finding.help.as_deref().unwrap_or_default();
    if !help.contains(says) {
        return Some(format!("{written}: {help}"));
    }
    let offered = offered(finding);
    let whole = |way: &&String| right.iter().any(|right| way.contains(right));
    if let Some(other) = offered.iter().find(|way| !whole(way)) {
        return Some(format!("{written}: offers {other}: {help}"));
    }
    if let Some(lacks) = right.iter().find(|right| !offered.iter().any(|way| way.contains(**right))) {
        return Some(format!("{written}: does not offer {lacks}: {help}"));
    }
    // The text around the reference stays unchanged.
    let open = written.find(['$', '{']).unwrap_or(0);
    let close = written.find('}').map_or_else(
        || {
            written[open + 1..]
                .find(|c: char| !c.is_alphanumeric())
                .map_or(written.len(), |end| open + 1 + end)
        },
        |at| at + 1,
    );
    let follow = |way: &str| format!("{}{way}{}", &written[..open], &written[close..]);
    right.iter().find_map(|way| {
        let text = spec.replacen(&format!("\"{written}\""), &format!("\"{}\"", follow(way)), 1);
        let again = Judged::of(&text, "");
        let next = again.findings.first().map(|d| &d.message)?;
        (!way.starts_with("${{")).then(|| format!("{written}: {way} leads to: {next}"))
    })
}

#[test]
fn what_is_offered_for_a_reference_is_what_was_meant() {
    let env = IN_ENV.iter().map(|row| (row, job(&format!("\"{}\"", row.0), "")));
    let run = IN_RUN.iter().map(|row| (row, job("\"\"", &format!("\"{}\"", row.0))));
    let wrong: Vec<String> =
        env.chain(run).filter_map(|((w, right, says), spec)| fault(&spec, w, right, says)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A line of another system, the entry that the help suggests, and a part of the resulting artifacts for Kubernetes.
const LINES: &[(&str, &str, &str)] = &[
    ("cleanPodPolicy \"None\"", "keep \"all\"", "cleanPodPolicy: None"),
    ("cleanPodPolicy \"All\"", "keep \"none\"", "cleanPodPolicy: All"),
    ("cleanPodPolicy \"Running\"", "", "cleanPodPolicy: Running"),
    ("runPolicy { cleanPodPolicy \"None\"; }", "keep \"all\"", "cleanPodPolicy: None"),
    ("hostNetwork #true", "network \"host\"", "hostNetwork: true"),
    ("hostNetwork #false", "", "kind: TFJob"),
    ("activeDeadlineSeconds 90", "deadline \"90s\"", "activeDeadlineSeconds: 90"),
    ("lifetime 3600", "deadline \"3600s\"", "activeDeadlineSeconds: 3600"),
    ("workers 8", "role \"worker\" count=8", "replicas: 8"),
    ("script \"train.py\"", "run \"python\" \"train.py\"", "- train.py"),
    ("script \"python train.py\"", "run \"python\" \"train.py\"", "- train.py"),
    ("script \"./start.sh\"", "run \"bash\" \"./start.sh\"", "- ./start.sh"),
    ("script \"cd x && python t.py\"", "shell \"cd x && python t.py\"", "cd x && python t.py"),
    ("launch-cmd \"python train.py --x 1\"", "run \"python\" \"train.py\" \"--x\" \"1\"", "- --x"),
];

/// Returns a job with this line, without the entries that the suggestion `way` provides.
fn with(line: &str, way: &str) -> String {
    let gives = |word: &str| way.starts_with(word);
    let run = if gives("run") || gives("shell") { "" } else { "run \"python\" \"t.py\"\n" };
    let role = if gives("role") { "" } else { "role \"worker\"\n" };
    format!(
        "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n\
         image \"a:1\"\nresources cpus=1 memory=\"1GiB\"\n{run}{role}{line}\n}}\n"
    )
}

#[test]
fn what_is_offered_for_a_line_of_another_system_means_the_same() {
    let mut wrong = Vec::new();
    for (line, way, holds) in LINES {
        let judged = Judged::of(&with(line, way), "");
        let help = judged.findings.iter().find_map(|d| d.help.clone()).unwrap_or_default();
        let right =
            if way.is_empty() { help.starts_with("remove") } else { help.contains(&format!("`{way}`")) };
        let (told, lowered) = found(&analyzed(&with(way, way)), "kubernetes");
        let errors: Vec<_> = told.iter().filter(|d| d.is_error()).map(|d| &d.message).collect();
        let text: String = lowered.iter().flat_map(|l| &l.artifacts).map(|a| a.text.as_str()).collect();
        if !right || !text.contains(holds) {
            wrong.push(format!("{line}: {help}\n{errors:?}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// URIs of code and data as other systems write them, and the suggestion of the help. A suggested URI must be accepted.
const URIS: &[(&str, &str)] = &[
    ("code \"git@github.com:acme/code.git\"", "`git+https://github.com/acme/code.git`"),
    ("code \"ssh://git@github.com/acme/code.git\"", "`git+https://github.com/acme/code.git`"),
    ("code \"git+ssh://git@github.com/acme/code.git\"", "`git+https://github.com/acme/code.git`"),
    ("code \"git://github.com/acme/code.git\"", "`git+https://github.com/acme/code.git`"),
    ("code \"github.com/acme/code\"", "`git+https://github.com/acme/code`"),
    ("code \"https://github.com/acme/code\"", "`code \"git+https://github.com/acme/code\" ref=\"TAG\"`"),
    (
        "code \"https://github.com/acme/code.git\"",
        "`code \"git+https://github.com/acme/code.git\" ref=\"TAG\"`",
    ),
    (
        "code \"https://github.com/acme/code/blob/v1/train.py\"",
        "`https://raw.githubusercontent.com/acme/code/v1/train.py`",
    ),
    (
        "code \"https://gitlab.com/acme/code/-/tree/v1/src\"",
        "`code \"git+https://gitlab.com/acme/code\" ref=\"v1\"`",
    ),
    (
        "code \"git+https://ann:pass@github.com/acme/code.git\" ref=\"v1\"",
        "build private files into the image",
    ),
    ("code \"https://ann:pass@host/code.zip\"", "build private files into the image"),
    ("data \"x\" \"s3://key:pass@b/h\"", "with `secret"),
    (
        "code \"https://b.s3.amazonaws.com/c.zip?X-Amz-Signature=0123456789abcdef0123\"",
        "build private files into the image",
    ),
    ("data \"x\" \"nfs://filer\"", "the path of the export is missing"),
    ("data \"x\" \"pvc://My_Claim/train\"", "lower-case letters, digits, `-`, and `.`"),
];

#[test]
fn what_is_offered_for_an_address_is_accepted() {
    let mut wrong = Vec::new();
    for (line, way) in URIS {
        let helps: Vec<String> =
            Judged::of(&with(line, ""), "").findings.iter().filter_map(|d| d.help.clone()).collect();
        let told = helps.iter().any(|help| help.contains(way))
            && !helps.iter().any(|h| h.contains("from=") && !way.contains("secret"));
        let way = way.trim_matches('`').replace("ref=\"TAG\"", "ref=\"v1\"");
        let git = format!("code \"{way}\" ref=\"v1\"");
        let next = match way.split_once("://") {
            Some(("git+https", _)) => Judged::of(&with(&git, ""), "").errors(),
            Some(("https", _)) => Judged::of(&with(&format!("code \"{way}\""), ""), "").findings.len(),
            Some(_) => Judged::of(&with(&way, ""), "").errors(),
            None => 0,
        };
        if !told || next > 0 {
            wrong.push(format!("{line}: {next} of {helps:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Options that belong in another block: the target, the lines of the user, and the help.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    (
        "yarn",
        "role \"b\" { target \"yarn\" { queue \"x\" } }",
        "move `queue` to `target \"yarn\"` of the job",
    ),
    (
        "kubernetes",
        "role \"b\" { target \"kubernetes\" { gang \"volcano\" } }",
        "move `gang` to `target \"kubernetes\"` of the job",
    ),
    (
        "spark",
        "role \"b\" { target \"spark\" { conf { spark.eventLog.enabled \"true\" } } }",
        "move `conf` to `target \"spark\"` of the job",
    ),
    (
        "spark",
        "target \"spark\" { conf { spark.yarn.queue \"ml\" } }",
        "remove it, and set `queue` in `target \"spark\"`",
    ),
    (
        "spark",
        "target \"spark\" { conf { spark.pyspark.python \"python3\" } }",
        "remove it, and set `python` in `target \"spark\"`",
    ),
    (
        "spark",
        "target \"spark\" { conf { spark.hadoop.fs.s3a.secret.key \"wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY\" } }",
        "write it to the configuration of the platform",
    ),
];

#[test]
fn an_option_is_named_with_the_block_that_has_it() {
    let mut wrong = Vec::new();
    for (target, line, says) in ELSEWHERE {
        let judged = Judged::of(&with(line, ""), target);
        if !judged.findings.iter().any(|d| d.help.as_ref().is_some_and(|help| help.contains(says))) {
            wrong.push(format!("{line}: {:?}", judged.findings));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Lines with one fault: targets report nothing about the placeholder that the language uses for the faulty entry.
#[test]
fn no_target_speaks_of_what_stands_for_lost_words() {
    for line in ["secret \"TOKEN\" \"abc123\"", "secret \"TOKEN\" value=\"abc123\""] {
        for target in tfjob_targets::ALL {
            let judged = Judged::of(&with(line, ""), target.name());
            let of_secret = |d: &&Diagnostic| d.message.contains("secret") || d.message.contains("Secret");
            let told: Vec<_> = judged.findings.iter().filter(of_secret).map(|d| &d.message).collect();
            assert_eq!(told.len(), 1, "{}: {line}: {told:#?}", target.name());
        }
    }
}
