//! Words of other systems, each with what it means here: the help offers that and nothing else, and what it offers is
//! accepted without another finding.
use super::Judged;
use tfjob_lang::diagnostic::Diagnostic;

/// A job with a chief, two workers and a server, whose workers have this text in `env` and these arguments.
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

/// The references that a finding offers: in its help and in its suggestions.
fn offered(finding: &Diagnostic) -> Vec<String> {
    let quoted = finding.help.iter().flat_map(|help| help.split('`').skip(1).step_by(2)).map(str::to_owned);
    let typed = finding.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.text.clone()));
    let reference = |text: &String| text.contains('{') && text != "{{" && text != "{";
    quoted.chain(typed).filter(reference).collect()
}

/// What is written in `env`, and the references that have its value. `says`: a part of the help where there is none.
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
    ("{mode}", &[], "a reference begins with"),
    ("{LR}", &[], "`env` of this job sets `LR`"),
    ("${LR}", &[], "`env` of this job sets `LR`"),
    ("$LR", &[], "`env` of this job sets `LR`"),
    ("${PYTHONPATH}:/x", &["{env.PYTHONPATH}"], ""),
    ("$PYTHONPATH:/x", &["{env.PYTHONPATH}"], ""),
];

/// The same among the arguments of `run`.
const IN_RUN: &[(&str, &[&str], &str)] = &[
    ("{LR}", &[], "`env` of this job sets `LR`"),
    ("--lr=$LR", &[], "`env` of this job sets `LR`"),
    ("--n={rank}", &["{index}"], ""),
    ("--out=${OUT}", &["${{OUT}", "{env.OUT}"], ""),
];

/// What is wrong with what is offered for `written`, which `spec` has.
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
    // The user's words around the reference stay.
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
