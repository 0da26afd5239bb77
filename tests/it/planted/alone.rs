//! Faults with their own small spec, because they cannot be planted in the valid spec or would hide all its other faults.
use super::mutant::{Texts, Told};
use super::planter::unmarked;

/// A spec with one fault. `«…»` in a text or a setting marks the span of the finding.
pub struct Alone {
    pub code: &'static str,
    /// Texts by name; the first is checked.
    pub files: Vec<(&'static str, String)>,
    pub set: &'static [&'static str],
}

impl Alone {
    /// Returns the texts and settings without the mark, and the marked span.
    pub fn unmark(&self) -> (Texts, Vec<String>, Told) {
        let mut told = None;
        let mut strip = |name: &str, text: &str| {
            let (text, mark) = unmarked(text);
            told =
                mark.map(|mark| (name.to_owned(), mark.start, mark.end, self.code)).or_else(|| told.take());
            text
        };
        let texts = self.files.iter().map(|(name, text)| ((*name).to_owned(), strip(name, text))).collect();
        let named = |position: usize| match self.set {
            [_] => "--set".to_owned(),
            _ => format!("--set ({})", position + 1),
        };
        let set = self.set.iter().enumerate().map(|(position, text)| strip(&named(position), text)).collect();
        (texts, set, told.expect("a mark in one of the texts"))
    }
}

fn kdl(code: &'static str, text: impl Into<String>) -> Alone {
    Alone { code, files: vec![("job.tfjob.kdl", text.into())], set: &[] }
}

fn job(code: &'static str, lines: &str) -> Alone {
    kdl(
        code,
        format!(
            "job \"a\" {{\n    framework \"tensorflow\" version=\"2.15\"\n    image \"a:1\"\n{lines}\n}}\n"
        ),
    )
}

fn set(set: &'static [&'static str], code: &'static str) -> Alone {
    let worker =
        "param \"lr\" 0.1\nrole \"worker\" { run \"a\" \"{param.lr}\"; resources cpus=1 memory=\"1GiB\"; }";
    Alone { set, ..job(code, worker) }
}

fn json(code: &'static str, name: &str, worker: &str) -> Alone {
    let text = format!(
        "{{ \"job\": {{ \"name\": {name}, \"framework\": {{ \"name\": \"tensorflow\" }}, \"image\": {{ \"name\": \"a:1\" }},\n\
         \"role\": {{ \"worker\": {{ {worker}, \"resources\": {{ \"cpus\": 1, \"memory\": \"1GiB\" }} }} }} }} }}\n"
    );
    Alone { code, files: vec![("job.tfjob.json", text)], set: &[] }
}

fn yaml(code: &'static str, name: &str, worker: &str) -> Alone {
    let text = format!(
        "job:\n  name: {name}\n  framework: {{ name: tensorflow }}\n  image: {{ name: \"a:1\" }}\n  role:\n    worker:\n\
         \x20     resources: {{ cpus: 1, memory: 1GiB }}\n      {worker}\n"
    );
    Alone { code, files: vec![("job.tfjob.yaml", text)], set: &[] }
}

/// Returns a chain of `count` files that extend each other; the last one ends with `last`.
fn row(code: &'static str, count: usize, last: &str) -> Alone {
    const NAMES: [&str; 17] = [
        "a.kdl", "b.kdl", "c.kdl", "d.kdl", "e.kdl", "f.kdl", "g.kdl", "h.kdl", "i.kdl", "j.kdl", "k.kdl",
        "l.kdl", "m.kdl", "n.kdl", "o.kdl", "p.kdl", "q.kdl",
    ];
    let line = |i: usize| match i + 1 {
        next if next == count => last.to_owned(),
        next => format!("extends \"{}\"", NAMES[next]),
    };
    let whole = "job \"a\" { framework \"caffe\"; run \"a\"; resources cpus=1 memory=\"1GiB\"; role \"w\"; }";
    let text = |i: usize| if i == 0 { format!("{}\n{whole}\n", line(i)) } else { format!("{}\n", line(i)) };
    let mut files: Vec<_> = (0..count).map(|i| (NAMES[i], text(i))).collect();
    files.push(("end.kdl", String::new()));
    Alone { code, files, set: &[] }
}

fn text_and_guards() -> Vec<Alone> {
    let nested = |open: &str, close: &str, count: usize| (open.repeat(count), close.repeat(count));
    let (blocks, ends) = nested("a { ", "} ", 32);
    let (comments, closes) = nested("/*", "*/", 17);
    vec![
        kdl("too-large", format!("«»//{}", "x".repeat(1 << 20))),
        kdl("too-deep", format!("{blocks}a «{{» }} {ends}")),
        kdl("too-deep", format!("{}{closes}\njob \"a\"", comments.replacen("/*", "«/*»", 1))),
        kdl("forbidden-character", "job \"a«\0»\""),
        kdl("unsupported-format", "«job:»\n  name: a\n"),
        kdl("missing-field", "«»// nothing"),
        kdl(
            "lost-exit-code",
            "job \"a\" {\n    framework \"caffe\"\n    role \"w\" { shell «\"python t.py | tee log\"»; resources cpus=1 memory=\"1GiB\"; }\n}\n",
        ),
        kdl(
            "launcher-per-task",
            "job \"a\" {\n    framework \"pytorch\" version=\"2.1\"\n    image \"a:1\"\n    role \"master\" { run \"a\"; resources cpus=1 memory=\"1GiB\"; }\n    \
             role \"worker\" count=2 { run «\"torchrun\"» \"a.py\"; resources cpus=1 memory=\"1GiB\"; }\n}\n",
        ),
        kdl(
            "ambiguous-archive",
            "job \"a\" {\n    framework \"custom\"\n    image \"a:1\"\n    code «\"https://files.example.com/bin/train\"»\n    \
             role \"w\" { run \"a\"; resources cpus=1 memory=\"1GiB\"; }\n}\n",
        ),
        kdl(
            "no-rendezvous-server",
            "job \"a\" {\n    framework «\"horovod\"» version=\"0.28\"\n    image \"a:1\"\n    \
             role \"worker\" count=2 { run \"a\"; resources cpus=1 memory=\"1GiB\"; }\n}\n",
        ),
        kdl(
            "missing-field",
            "«job» \"a\" {\n    image \"a:1\"\n    role \"worker\" { run \"a\"; resources cpus=1 memory=\"1GiB\"; }\n}",
        ),
        kdl(
            "syntax",
            "job \"a\" { framework \"caffe\"; run \"a\"; resources cpus=1 memory=\"1GiB\"; role \"w\"; } «)»",
        ),
        row("extends-cycle", 3, "extends «\"a.kdl\"»"),
        row("unreadable-base", 17, "extends \"end.kdl\"").longest(),
    ]
}

impl Alone {
    /// Marks the `extends` that exceeds the limit.
    fn longest(mut self) -> Self {
        let (_, last) = &mut self.files[15];
        *last = last.replace("\"q.kdl\"", "«\"q.kdl\"»");
        self
    }
}

fn settings() -> Vec<Alone> {
    vec![
        set(&["«role.worker.count»"], "bad-setting"),
        set(&["«run=python»"], "bad-setting"),
        set(&["param.lr=«fast»"], "bad-setting"),
        set(&["role.«wroker».count=1"], "unknown-key"),
        set(&["role.worker.«cuont»=1"], "unknown-key"),
        set(&["image=«ml/UP:1»"], "bad-value"),
        set(&["role.worker.count=«0»"], "out-of-range"),
        set(&["framework.strategy=«single»", "role.worker.count=2"], "single-process-strategy"),
        set(&["image=«a:latest»"], "unpinned-image"),
    ]
}

fn other_formats() -> Vec<Alone> {
    vec![
        json("unknown-key", "\"a\"", "\"run\": [\"a\"], «\"cuont\"»: 1"),
        json("duplicate-key", "\"a\", «\"name\"»: \"b\"", "\"run\": [\"a\"]"),
        json("wrong-type", "\"a\"", "\"run\": [«5»]"),
        json("bad-value", "«\"A\"»", "\"run\": [\"a\"]"),
        json("bad-escape", "\"a\"", "\"run\": [\"«\\q»\"]"),
        json("unclosed", "\"a\"", "\"run\": [\"a\"], \"workdir\": «\"/a»\n"),
        json("unknown-reference", "\"a\"", "\"run\": [\"\\u0061-«{data.x}»\"]"),
        yaml("unknown-key", "a", "«cuont»: 1\n      run: [a]"),
        yaml("ambiguous-scalar", "a", "run: [a]\n      env: { DEBUG: «yes» }"),
        yaml("ambiguous-scalar", "a", "run: [a]\n      env: { «off»: x }"),
        yaml("yaml-feature", "&b «a»", "run: [a]"),
        yaml("duplicate-key", "a", "run: [a]\n      «run»: [b]"),
        yaml("unknown-reference", "a", "run: [a, \"«{data.x}»\"]"),
        yaml("missing-command", "a", "count: 1").at("worker:", "«worker»:"),
    ]
}

impl Alone {
    /// Replaces `words` by `marked`, which contains the mark of the finding.
    fn at(mut self, words: &str, marked: &str) -> Self {
        self.files[0].1 = self.files[0].1.replacen(words, marked, 1);
        self
    }
}

fn whole_jobs() -> Vec<Alone> {
    let worker = "role \"worker\" { resources cpus=1 memory=\"1GiB\"; }";
    let run = "run \"a\"\nresources cpus=1 memory=\"1GiB\"";
    let roles = "role \"worker\" count=2\nrole \"chief\"";
    vec![
        job("missing-command", &worker.replace("\"worker\"", "«\"worker\"»")),
        job(
            "missing-command",
            &format!("{worker}\n{}", worker.replace("role \"worker\"", "helper «\"h\"» count=3"))
                .replace("role \"worker\" {", "role \"worker\" { run \"a\";"),
        ),
        job("missing-resources", "role «\"worker\"» { run \"a\"; }"),
        job("missing-role", run).at("\"tensorflow\"", "«\"tensorflow\"»"),
        job("missing-role", &format!("{run}\nrole \"evaluator\"")).at("\"tensorflow\"", "«\"tensorflow\"»"),
        job("missing-role", &format!("{run}\nrole \"worker\" count=2")).at("\"tensorflow\"", "«\"pytorch\"»"),
        job("missing-log-directory", &format!("{run}\nrole \"worker\"\n«tensorboard port=6006»")),
        job(
            "gpus-without-count",
            "run \"a\"\nresources cpus=1 memory=\"1GiB\" gpus=0 gpu-memory=«\"40GiB\"»\nrole \"worker\"",
        ),
        strategy(job(
            "unequal-gpus",
            "run \"a\"\nresources cpus=1 memory=\"1GiB\"\nrole \"chief\"\nrole \"worker\" { resources cpus=1 memory=\"1GiB\" gpus=«2»; }",
        )),
        job("start-cycle", &format!("{run}\nrole \"worker\" {{ after «\"worker\"»; }}")),
        // A default of the job applies to every role; its fault is reported once.
        strategy(
            job("unknown-reference", &format!("{run} \n{roles}")).at("run \"a\"", "run \"a\" \"«{data.x}»\""),
        ),
        strategy(job("reserved-variable", &format!("{run}\nenv {{ «TF_CONFIG» \"x\"; }}\n{roles}"))),
        strategy(job("unknown-port", &format!("{run}\nready tcp=«\"web\"»\n{roles}"))),
        strategy(job("unused-setting", &format!("{run}\nrestart \"never\" limit=«3»\n{roles}"))),
        strategy(job(
            "peer-not-restarted",
            &format!("{run}\nrole \"worker\" {{ restart «\"always\"»; }}\nrole \"chief\""),
        )),
        strategy(job(
            "peer-not-restarted",
            &format!("{run}\nrestart \"on-failure\" {{ codes «137»; }}\n{roles}"),
        )),
        job("long-running-role", &format!("{run}\nrole \"worker\"\nrole «\"ps\"»"))
            .at("tensorflow", "custom"),
        strategy(job(
            "unwatched-progress",
            &format!("{run}\nrestart \"always\" no-progress-limit=«3»\n{roles}"),
        )),
        strategy(job("bad-probe", &format!("{run}\n«ready»\n{roles}"))),
        strategy(job("unknown-role-after", &format!("{run}\nafter «\"server\"»\n{roles}"))),
        strategy(job("duplicate-port", &format!("{run}\nport «\"web\"» 2222\n{roles}"))),
        strategy(job("missing-field", &format!("run \"a\"\n«resources» cpus=1\n{roles}"))),
    ]
}

fn strategy(alone: Alone) -> Alone {
    alone.at("version=\"2.15\"", "version=\"2.15\" strategy=\"multi-worker-mirrored\"")
}

pub fn all() -> Vec<Alone> {
    [text_and_guards(), settings(), other_formats(), whole_jobs()].into_iter().flatten().collect()
}
