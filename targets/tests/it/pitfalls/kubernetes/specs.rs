//! Small specs into which the entries of a pitfall are inserted.

/// Returns a spec of one worker, with entries of the job and of the role. An entry of the role replaces the default one.
pub fn lone(job: &str, role: &str) -> String {
    let mut usual = String::new();
    for (word, line) in
        [("resources", "resources cpus=1 memory=\"1GiB\""), ("run", "run \"python\" \"a.py\"")]
    {
        if !role
            .lines()
            .any(|l| l.trim_start().starts_with(word) || word == "run" && l.trim_start().starts_with("shell"))
        {
            usual.push_str(line);
            usual.push('\n');
        }
    }
    format!(
        "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\"\nimage \"ml/a:1\"\n{job}\nrole \"worker\" {{\n{usual}{role}\n}}\n}}\n"
    )
}

/// Returns a parameter-server job with this name and additional entries.
pub fn several(name: &str, more: &str) -> String {
    let role = |name: &str, count: &str| {
        format!("role \"{name}\" {count} {{ resources cpus=1 memory=\"1GiB\"; }}\n")
    };
    let roles = [role("chief", ""), role("worker", "count=2"), role("ps", "")].concat();
    format!(
        "job \"{name}\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\nimage \"ml/a:1\"\nrun \"python\" \"a.py\"\n{more}\n{roles}}}\n"
    )
}

/// Returns a job with two synchronous workers, with entries of the job and of the role.
pub fn step(job: &str, role: &str) -> String {
    format!(
        "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"ml/a:1\"\n{job}\nrole \"worker\" count=2 {{\nrun \"python\" \"a.py\"\nresources cpus=1 memory=\"1GiB\"\n{role}\n}}\n}}\n"
    )
}

/// Returns a target block with these options.
pub fn options(words: &str) -> String {
    format!("target \"kubernetes\" {{ {words} }}")
}
