//! Small specs around the words of a trap.

/// One worker, with lines of the job and of the role. A line of the role wins over the usual one.
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

/// A parameter-server job of that name, with more lines.
pub fn several(name: &str, more: &str) -> String {
    let role = |name: &str, count: &str| {
        format!("role \"{name}\" {count} {{ resources cpus=1 memory=\"1GiB\"; }}\n")
    };
    let roles = [role("chief", ""), role("worker", "count=2"), role("ps", "")].concat();
    format!(
        "job \"{name}\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\nimage \"ml/a:1\"\nrun \"python\" \"a.py\"\n{more}\n{roles}}}\n"
    )
}

/// Two workers in step, with lines of the job and of the role.
pub fn step(job: &str, role: &str) -> String {
    format!(
        "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"ml/a:1\"\n{job}\nrole \"worker\" count=2 {{\nrun \"python\" \"a.py\"\nresources cpus=1 memory=\"1GiB\"\n{role}\n}}\n}}\n"
    )
}

/// The target's block.
pub fn options(words: &str) -> String {
    format!("target \"kubernetes\" {{ {words} }}")
}
