//! Random KDL documents for tests. The same seed gives the same documents in every run.

/// A small random number generator with the same results on every platform.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a random number below `top`.
    pub(crate) fn below(&mut self, top: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % top as u64) as usize
    }

    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const NAMES: &[&str] =
    &["a", "role", "\"b c\"", "r-x", "#\"q\"#", "count", "LOG_LEVEL", "é", "\"\"", "a.b", "--x", "r"];
const VALUES: &[&str] = &[
    "1",
    "0x1F",
    "\"s\\n\"",
    "#true",
    "#false",
    "-1.5e3",
    "\"w\"",
    "#\"r\\\"#",
    "\"\"\"\n  m\n    n\n\n  \"\"\"",
    "#null",
    "1_0",
    "\"\"",
    "\"a {b} // c\"",
    "##\"a\"#b\"##",
    "\"x\\\n   y\"",
    "\"\\u{e9}\\s\"",
    "#\"\"\"\n\tz \\\n\t\"\"\"#",
    "+3",
    "0b1_0",
];
const GAPS: &[&str] = &[" ", "  ", " \\\n ", " /* m */ ", " \\ // k\n  ", "\t", " /* a\n b */ "];

/// Returns a valid KDL document without mistakes.
pub(crate) fn document(random: &mut Random) -> String {
    let mut out = String::new();
    if random.one_in(20) {
        out.push('\u{feff}');
    }
    nodes(random, 0, &mut out);
    out
}

fn nodes(random: &mut Random, depth: usize, out: &mut String) {
    for _ in 0..random.below(4) {
        for _ in 0..random.below(3) {
            out.push_str(random.pick(&[
                " ",
                "\n",
                "// c\n",
                "/* x */ ",
                "/- z 1\n",
                "\t",
                "/- y {\n u\n}\n",
            ]));
        }
        if random.one_in(9) {
            out.push_str(random.pick(&["/-", "/- ", "/-\n"]));
        }
        node(random, depth, out);
        if random.one_in(6) {
            out.push_str(random.pick(&[" // tail", " /* t */", "// glued"]));
            out.push('\n');
        } else {
            out.push_str(random.pick(&["\n", "\n", ";", " ; ", "\r\n", "\n\n\n"]));
        }
    }
    if random.one_in(5) {
        out.push_str("// last\n");
    }
}

fn node(random: &mut Random, depth: usize, out: &mut String) {
    out.push_str(random.pick(NAMES));
    for key in 0..random.below(5) {
        out.push_str(random.pick(GAPS));
        if random.one_in(8) {
            out.push_str(random.pick(&["/- ", "/-", "/-\n"]));
        }
        if random.one_in(3) {
            let name = random.pick(&["k", "\"k\"", "kind", "#\"k\"#"]);
            let name =
                if name.ends_with(['"', '#']) { format!("\"k{key}\"") } else { format!("{name}{key}") };
            out.push_str(&name);
            out.push_str(random.pick(&["=", "=", "=", " /* e */=", "= \\\n "]));
        }
        out.push_str(random.pick(VALUES));
    }
    if depth < 3 && random.one_in(3) {
        if random.one_in(7) {
            out.push_str(" /- { h 1; }");
        }
        out.push_str(random.pick(&[" ", "", " \\\n "]));
        out.push('{');
        out.push_str(random.pick(&["\n", " ", "", " // h\n"]));
        nodes(random, depth + 1, out);
        out.push_str(random.pick(&["\n", " ", ""]));
        out.push('}');
        if random.one_in(9) {
            out.push_str(" /- { h }");
        }
    }
}

/// Pieces of text: those of usual specs, and those of typing errors. A mutation inserts them into a document, or builds a document
/// only of them.
pub(crate) const PIECES: &[&str] = &[
    "a",
    " ",
    " ",
    "\n",
    "\n",
    "{",
    "}",
    "/-",
    "/- ",
    " 1",
    " \"s\"",
    " k=1",
    "(t)",
    ";",
    "//c\n",
    "/* c */",
    "\\\n",
    "#\"r\"#",
    "\"\"\"\nx\n\"\"\"",
    " #true",
    "0x",
    "é",
    "a /-{ ",
    "}\n",
    "a {\n",
    " /- {",
    "=",
    "[",
    "]",
    "b 2\n",
    " -1.5",
    "\t",
    "\"",
    "'",
    "${HOME}",
    "hdfs://x/y",
    "/data",
    ": ",
    "- ",
    ", ",
    " x=",
    "# note",
    "r\"v\"",
    "\"\"\"",
    "/*",
    "*/",
    "\\",
    "{data.x}",
    "true",
    "\u{202e}",
    "“a b”",
    " --steps=9",
    "#",
    " 1.",
    "\"\\d\"",
    ")",
    "count = 4",
    "role \"w\" {\n  x\n}\n",
    "$",
    "k= ",
    "\r",
    "\u{85}",
    " k=2 k=3",
    " : ",
    " \\ # c\n",
    "[ 1, # c\n 2 ]",
    "\"\\d\\s\"",
];

/// Returns a document that contains some mistakes.
pub(crate) fn slipped(random: &mut Random) -> String {
    let mut text = if random.one_in(3) { String::new() } else { document(random) };
    for _ in 0..1 + random.below(if text.is_empty() { 60 } else { 4 }) {
        let mut at = if text.is_empty() || random.one_in(3) { text.len() } else { random.below(text.len()) };
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        if random.one_in(4) && at < text.len() {
            text.remove(at);
        } else {
            text.insert_str(at, random.pick(PIECES));
        }
    }
    text
}
