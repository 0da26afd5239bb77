//! Tests with malicious texts. Parsing ends soon, needs only a small stack, and reports a diagnostic.
use super::random::{PIECES, Random};
use super::{read_json, read_kdl, read_yaml, rounds};
use crate::sources::{Format, Sources};
use std::time::{Duration, Instant};

/// Returns the size of a malicious text in bytes: 64 KiB if `TFJOB_ROUNDS` is greater than 1, otherwise 8 KiB, because tests are
/// not optimized and so are slow.
fn size() -> usize {
    if rounds(1) > 1 { 64 << 10 } else { 8 << 10 }
}

/// Maximum time to parse one text. It is long, because the machine may be busy. Exponential time would exceed it by far.
const SOON: Duration = Duration::from_secs(20);

fn filled(unit: &str) -> String {
    unit.repeat(size() / unit.len())
}

/// Parses a text on the stack of a test thread. Returns the time and the number of diagnostics.
fn read(text: String) -> (Duration, usize) {
    read_as(Format::Kdl, text)
}

fn read_as(format: Format, text: String) -> (Duration, usize) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let mut all = Sources::default();
        let number = all.add("a", format, text);
        let start = now();
        let told = match format {
            Format::Kdl | Format::Set => read_kdl(all.get(number)).1.len(),
            Format::Json => read_json(all.get(number)).1.len(),
            Format::Yaml => read_yaml(all.get(number)).1.len(),
        };
        (start.elapsed(), told)
    });
    thread.unwrap().join().unwrap()
}

#[allow(clippy::disallowed_methods, reason = "the test measures time; the reader does not")]
fn now() -> Instant {
    Instant::now()
}

const UNITS: &[&str] = &[
    "a {",
    "a /- { ",
    "a /-{\n",
    "/- a {\n",
    "}",
    "a }",
    "{",
    "/*",
    "/* ",
    "*/",
    "/*/",
    "a/*",
    "\\",
    "\\ ",
    "\\/**/",
    "'",
    "'a ",
    "`a",
    "[",
    "[\n",
    "a [\n",
    "a [ ",
    "(",
    "(a",
    "x=(",
    "((",
    "=",
    "a=",
    "==",
    "a= ",
    "a = 1\n",
    "a = b\n",
    ",",
    "a,",
    "1,",
    ", ",
    "a:",
    "a:b:",
    ":",
    "a: 1\n",
    "-",
    "- ",
    "- a\n",
    "#",
    "# ",
    "##",
    "#\"",
    "#\"\"",
    "r\"",
    "r#\"",
    "r#\"a\n",
    "\"",
    "\"\"",
    "\"\"\"",
    "\"\\",
    "\"a\n",
    "\"\\q\"",
    "\"\"\"\n",
    "\"a\" {\n",
    "$",
    "${",
    "${A}",
    "$A",
    "$A ",
    "{gpus}",
    "{data.a}/",
    "hdfs://",
    "a://b ",
    "/",
    "//",
    "/-",
    "/- ",
    "/-\n",
    "a /- ",
    ";",
    ";;",
    "a;",
    "a 1;",
    "a b;",
    "a k=1 ",
    "k=1 ",
    "x k=1 k=2\n",
    "\u{202e}",
    "\u{feff}",
    "\t",
    "\n",
    "é",
    "a {}\n",
    "a { b; }\n",
    "a { b 1 k=2; }\n",
    "a 1 2 3\n",
    "1.",
    ".5",
    "1e999 ",
    "99999999999999999999999999999999999999999 ",
    "--x=1 ",
    "--x=",
    "#true ",
    "#x ",
    "true ",
    "a #",
    "\"\\u{41}\" ",
    "\\u{",
    "a \\\n",
    "“",
    "“a ",
    "«",
    "\r",
    "\u{2028}",
];

#[test]
fn a_text_made_of_one_thing_ends_soon() {
    for (number, unit) in PIECES.iter().chain(UNITS).enumerate() {
        let body = filled(unit);
        let texts = [format!("a {{\n  {body}\n}}"), format!("a {body}"), body];
        for text in texts.into_iter().skip(number % 3).step_by(3) {
            let (took, told) = read(text);
            assert!(took < SOON, "{unit:?}: {took:?}");
            println!("{took:?} {told} {unit:?}");
        }
    }
}

#[test]
fn nests_with_faults_at_every_level_end_soon() {
    let opens = [
        "a ",
        "a /- { x } ",
        "a /- 1 ",
        "a 1 /- k=2 ",
        "a /- { x } /- { y } ",
        "(t)a ",
        "a 0xzz ",
        "a k=0xzz ",
        "a = ",
        "/- a ",
        "a /- ",
        "a /- { b /- { c /- { d } } } ",
        "a \\\n ",
        "a (",
        "a \"s\" /- ",
        "a /- a /- ",
        "role \"w",
        "a [",
    ];
    let bodies = [
        "b 1\n",
        "= 1\n",
        "b k=1.\n",
        "b [\n",
        "/- b\n",
        "b /- { c\n }\n",
        "b )\n",
        "; ;\n",
        "// c\n",
        "\"x\n",
    ];
    let mut random = Random::new(7);
    for _ in 0..60 {
        let mut text = String::new();
        while text.len() < size() / 4 {
            let (open, body) = (random.pick(&opens), random.pick(&bodies));
            let depth = 1 + random.below(32);
            for _ in 0..depth {
                text.push_str(open);
                text.push_str("{\n");
                text.push_str(body);
            }
            text.push_str(&"}\n".repeat(depth - usize::from(random.one_in(9))));
        }
        let (took, _) = read(text);
        assert!(took < SOON, "{took:?}");
    }
}

#[test]
fn soups_end_soon() {
    for seed in 0..rounds(20) {
        let mut random = Random::new(seed);
        let mut text = String::new();
        let some: Vec<&str> = (0..1 + random.below(6)).map(|_| random.pick(PIECES)).collect();
        while text.len() < size() {
            text.push_str(random.pick(&some));
        }
        let (took, _) = read(text);
        assert!(took < SOON, "{took:?} {some:?}");
    }
}

#[test]
fn json_and_yaml_of_one_thing_end_soon() {
    let units = [
        "[",
        "[[],",
        "[1,",
        "{",
        "{\"a\":",
        "{\"a\":1,",
        "\"a\":1,",
        "\"",
        "\"\\",
        "1",
        "-",
        "1e",
        "true",
        "// ",
        "/*",
        "# ",
        ",",
        ":",
        "é",
        "- ",
        "- - ",
        "-\n",
        "a: ",
        "a: b\n",
        "a:\n ",
        "a: {",
        "? ",
        "? a\n",
        ": ",
        "&a ",
        "*a ",
        "- *a\n",
        "!t ",
        "|\n",
        ">\n a\n",
        "'",
        "''",
        "'a\n",
        "---\n",
        "...\n",
        "%Y\n",
        "\t",
        "\n",
        " ",
        " \n",
        "}",
        "]",
        "{}\n",
        "[]\n",
        "{a: 1}, ",
        "a b\n",
        "\u{feff}",
        "<<: a\n",
        "@",
        "`",
    ];
    let ends = |unit: &str, format| {
        let body = filled(unit);
        for text in [format!("[{body}"), format!("{{\"a\": {body}"), format!("a:\n  {body}"), body] {
            let (took, told) = read_as(format, text);
            println!("{took:?} {told} {unit:?} {format:?}");
            assert!(took < SOON, "{unit:?} {format:?}: {took:?}");
        }
    };
    for unit in units {
        ends(unit, Format::Json);
        ends(unit, Format::Yaml);
    }
}

#[test]
fn a_text_that_is_too_much_is_refused_by_name() {
    let refused = |text: String| {
        let mut all = Sources::default();
        let number = all.add("a", Format::Kdl, text);
        let (read, diagnostics) = read_kdl(all.get(number));
        assert!(read.nodes.is_empty());
        diagnostics.iter().map(|d| d.code.name).collect::<Vec<_>>()
    };
    assert_eq!(refused("a\n".repeat(600_000)), ["too-large"]);
    assert_eq!(refused(format!("{}{}", "a {\n".repeat(33), "}\n".repeat(33))), ["too-deep"]);
    assert_eq!(refused(format!("{}{}", "/* ".repeat(17), "*/ ".repeat(17))), ["too-deep"]);
    assert_eq!(refused("job \"a\0\"".to_owned()), ["forbidden-character"]);
    assert_eq!(refused("a }\n".repeat(30)).len(), 21);
}
