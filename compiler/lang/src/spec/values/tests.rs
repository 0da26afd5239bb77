//! Tests with valid and invalid values of each value type.
use super::*;
use proptest::prelude::*;

fn refused<T: std::fmt::Debug>(read: Result<T, Wrong>) -> Wrong {
    read.unwrap_err()
}

#[test]
fn memory_has_a_canonical_form() {
    for (text, print, bytes) in
        [("512MiB", "512MiB", 512 << 20), ("1024MiB", "1GiB", 1 << 30), ("1536MiB", "1536MiB", 1536 << 20)]
    {
        let read = Memory::parse(text).unwrap();
        assert_eq!((read.to_string().as_str(), read.bytes()), (print, bytes));
    }
    assert_eq!(Memory::parse("1025KiB").unwrap().mebibytes(), 2);
    for less in ["1KiB", "1023KiB"] {
        assert_eq!(refused(Memory::parse(less)).help, "use at least `1MiB`");
    }
}

#[test]
fn ambiguous_memory_lists_both_meanings() {
    let wrong = refused(Memory::parse("16GB"));
    assert_eq!(wrong.message, "`16GB` is ambiguous (GB or GiB?)");
    assert!(wrong.help.contains("`16GiB`") && wrong.help.contains("`15259MiB`"), "{}", wrong.help);
    assert_eq!(wrong.instead, None);
    assert!(refused(Memory::parse("16G")).help.contains("`16GiB`"));
    let wrong = refused(Memory::parse("16777216"));
    assert!(wrong.help.contains("`16TiB`") && wrong.help.contains("`16MiB`"), "{}", wrong.help);
    assert_eq!(refused(Memory::parse("16384")).help, "write `16GiB` if the number is in MiB");
    assert_eq!(refused(Memory::parse("16")).help, "write `16GiB` or `16MiB`");
}

#[test]
fn unambiguous_memory_is_corrected() {
    for (text, meant) in [
        ("16Gi", "16GiB"),
        ("16 GiB", "16GiB"),
        ("16gib", "16GiB"),
        ("1.5GiB", "1536MiB"),
        ("016GiB", "16GiB"),
    ] {
        assert_eq!(refused(Memory::parse(text)).instead.as_deref(), Some(meant), "{text}");
    }
    for text in ["", "GiB", "0GiB", "-1GiB", "16XiB", "16Gibi", "99999999TiB", "1e3MiB", "١GiB", "1¡", "1é"]
    {
        assert_eq!(refused(Memory::parse(text)).instead, None, "{text}");
    }
}

/// A help must not name a value that the next check refuses.
#[test]
fn a_help_names_only_valid_values() {
    let numbers = [
        "0",
        "1",
        "01",
        "016",
        "1.5",
        "0.3",
        "1.",
        ".5",
        "1.2.3",
        "32",
        "999",
        "1000",
        "1024",
        "1025",
        "16384",
        "1048576",
        "16777216",
        "1125899906842625",
        "99999999999999999999",
    ];
    let sizes = [
        "", "B", "K", "KB", "kB", "KiB", "Ki", "M", "MB", "mb", "MiB", "G", "GB", " GB", "Gi", "T", "TB",
        "PB", "X",
    ];
    let times = ["", "s", "m", "h", "d", "w", "ms", " min", "x"];
    let named = |help: &str| -> Vec<String> {
        let quoted = help.split('`').skip(1).step_by(2);
        quoted
            .filter(|text| text.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
            .map(str::to_owned)
            .collect()
    };
    for number in numbers {
        for text in sizes.map(|unit| format!("{number}{unit}")) {
            let Err(wrong) = Memory::parse(&text) else { continue };
            let help = wrong.help;
            assert!(named(&help).iter().all(|named| Memory::parse(named).is_ok()), "{text}: {help}");
            assert!(!named(&help).is_empty(), "{text}: {help}");
        }
        for text in times.map(|unit| format!("{number}{unit}")) {
            let Err(wrong) = Duration::parse(&text) else { continue };
            let help = wrong.help;
            let values = named(&help).into_iter().filter(|named| *named != number);
            assert!(values.into_iter().all(|named| Duration::parse(&named).is_ok()), "{text}: {help}");
        }
    }
}

#[test]
fn a_fraction_of_an_ambiguous_size_is_written_in_mebibytes() {
    for (text, help) in [
        ("1.5GB", "write `1536MiB` for units of 1024, or `1431MiB` for 1.5 × 1000^3 bytes (rounded up)"),
        ("0.3GB", "write `308MiB` for units of 1024, or `287MiB` for 0.3 × 1000^3 bytes (rounded up)"),
        ("1100TB", "write `1049041749MiB` for 1100 × 1000^4 bytes (rounded up)"),
        ("1.5MB", "write `2MiB` (rounded up)"),
        ("32KB", "use at least `1MiB`"),
        ("2000TB", "use at most `1024TiB`"),
    ] {
        assert_eq!(refused(Memory::parse(text)).help, help, "{text}");
    }
}

#[test]
fn each_reading_of_an_ambiguous_value_is_a_choice() {
    let memory = |text| refused(Memory::parse(text)).choices;
    assert_eq!(memory("8GB"), ["8GiB", "7630MiB"]);
    assert_eq!(memory("1.5GB"), ["1536MiB", "1431MiB"]);
    assert_eq!(memory("16"), ["16GiB", "16MiB"]);
    assert_eq!(memory("2048"), ["2GiB"]);
    assert_eq!(memory("1048576"), ["1TiB", "1MiB"]);
    assert_eq!(refused(Duration::parse("90")).choices, ["90s", "90m", "90h"]);
    assert_eq!(refused(Memory::parse("16Gi")).choices, [] as [&str; 0]);
}

#[test]
fn durations_need_a_unit() {
    for (text, print, seconds) in [
        ("90s", "1m30s", 90),
        ("1h30m", "1h30m", 5400),
        ("2d", "2d", 172_800),
        ("0s", "0s", 0),
        ("36h", "1d12h", 129_600),
    ] {
        let read = Duration::parse(text).unwrap();
        assert_eq!((read.to_string().as_str(), read.seconds()), (print, seconds));
    }
    assert!(refused(Duration::parse("10")).help.contains("`10s`, `10m`, or `10h`"));
    for (text, meant) in
        [("1.5h", "1h30m"), ("10 min", "10m"), ("1w", "7d"), ("10S", "10s"), ("2000ms", "2s")]
    {
        assert_eq!(refused(Duration::parse(text)).instead.as_deref(), Some(meant), "{text}");
    }
    for text in ["", "s", "1m1h", "1s1s", "-1s", "500ms", "1y", "99999999999d", "36501d"] {
        assert_eq!(refused(Duration::parse(text)).instead, None, "{text}");
    }
    assert!(Duration::parse_positive("0s").is_err());
}

#[test]
fn cores_are_multiples_of_a_tenth() {
    assert_eq!(Cores::from_number(0.3).unwrap().millis(), 300);
    assert_eq!(Cores::from_number(32.0).unwrap().to_string(), "32");
    assert!(refused(Cores::from_number(0.25)).help.contains("`0.3`"));
    for number in [0.0, -1.0, f64::NAN, f64::INFINITY, 10_000.1, 0.04] {
        assert!(Cores::from_number(number).is_err(), "{number}");
    }
}

#[test]
fn an_image_has_parts() {
    let image = Image::parse("localhost:5000/ml/tf:2.15-gpu").unwrap();
    assert_eq!(image.registry.as_deref(), Some("localhost:5000"));
    assert_eq!((image.repository.as_str(), image.tag.as_deref()), ("ml/tf", Some("2.15-gpu")));
    let pinned = format!("ml/tf@sha256:{}", "a".repeat(64));
    let image = Image::parse(&pinned).unwrap();
    assert!(image.has_tag() && !image.is_latest());
    assert_eq!(image.to_string(), pinned);
    assert!(!Image::parse("tf").unwrap().has_tag());
    assert!(Image::parse("tf:latest").unwrap().is_latest());
    assert_eq!(refused(Image::parse("ML/TF:1")).instead.as_deref(), Some("ml/tf:1"));
    for text in
        ["", "a:", "a//b", "/a", "a_-b", "docker://a", "a@sha256:1", "a b", "a:-x", "x.y:0/a", "a@", "a:b:c"]
    {
        assert!(Image::parse(text).is_err(), "{text}");
    }
}

#[test]
fn a_uri_has_a_known_scheme_and_its_form() {
    for scheme in Scheme::ALL {
        let uri = Uri::parse(scheme.example()).unwrap();
        assert_eq!((uri.scheme(), uri.to_string().as_str()), (*scheme, scheme.example()));
    }
    let uri = Uri::parse("pvc://claim").unwrap();
    assert_eq!((uri.host(), uri.path()), ("claim", ""));
    assert_eq!(Uri::parse("hdfs:///x").unwrap().host(), "");
    for (text, meant) in [
        ("hfds://n/x", "hdfs://n/x"),
        ("file:/x", "file:///x"),
        ("hdfs:/x", "hdfs:///x"),
        ("gs:/bucket/x", "gs://bucket/x"),
        ("s3:bucket/x", "s3://bucket/x"),
        ("pvc:/claim/x", "pvc://claim/x"),
        ("nfs:filer/x", "nfs://filer/x"),
    ] {
        assert_eq!(refused(Uri::parse(text)).instead.as_deref(), Some(meant), "{text}");
    }
    // The server is missing: the first name is a directory.
    assert_eq!(refused(Uri::parse("nfs:/srv/x")).instead, None);
    for text in [
        "",
        "x",
        "/x",
        "../x",
        "hdfs:",
        "hdfs://",
        "hdfs://n",
        "file://x",
        "file://n/x",
        "pvc://",
        "pvc://A/x",
        "./../x",
        "https://u:p@h/x",
        "s3://",
        "s3://b/../x",
        "nfs://h//x",
        "nfs://h:/x",
        "nfs://h:2049/x",
        "hdfs://n/a b",
        ".//x",
        "git+https://h",
        "abfs://a/x",
        "./a b",
        "./a%20b",
        "file:///mnt/my%20data",
        "file:///a%2Fb",
        "pvc://c/a%20b",
        "nfs://h/a%c3%a9",
    ] {
        assert!(Uri::parse(text).is_err(), "{text}");
    }
    for text in ["./100%.txt", "./a%b.txt", "file:///50%", "hdfs:///a%20b", "https://h/a%20b"] {
        assert!(Uri::parse(text).is_ok(), "{text}");
    }
}

#[test]
fn names_and_paths_are_corrected() {
    for (text, meant) in [("Mnist_Large", "mnist-large"), ("a.b", "a-b")] {
        assert_eq!(refused(Name::parse(text)).instead.as_deref(), Some(meant));
    }
    for text in ["", "1a", "a-", "-a", "ä", &"a".repeat(64)] {
        assert_eq!(refused(Name::parse(text)).instead, None, "{text}");
    }
    assert_eq!(refused(AbsolutePath::parse("/a//b/")).instead.as_deref(), Some("/a/b"));
    for text in ["", "a", "/a/../b", "/\0"] {
        assert_eq!(refused(AbsolutePath::parse(text)).instead, None, "{text}");
    }
    assert_eq!(refused(EnvName::parse("MY-VAR")).instead.as_deref(), Some("MY_VAR"));
    assert!(Text::parse("a\0").is_err());
    assert!(param_name("learning_rate").is_ok() && param_name("a.b").is_err());
}

#[test]
fn a_version_means_its_oldest_release() {
    let version = |text| Version::parse(text).unwrap();
    assert!(version("2.15").at_least((2, 15)) && version("2.15.1").at_least((2, 15)));
    assert!(!version("2").at_least((2, 1)) && version("3").at_least((2, 15)));
    assert!(!version("2.9").at_least((2, 15)));
    assert_eq!(refused(Version::parse("v2.15-gpu")).instead.as_deref(), Some("2.15"));
    for text in ["", "2.", ".2", "2.05", "2..1", "1.2.3.4.5", "x", "99999999999"] {
        assert!(Version::parse(text).is_err(), "{text}");
    }
}

/// Generates strings similar to valid values.
fn near() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,5}(K|M|G|T|)(i|)(B|)",
        "([0-9]{1,3}[dhms]){0,4}",
        "[a-z0-9A-Z._:@/-]{0,24}",
        "(hdfs|s3|file|pvc|nfs|git\\+https|https|\\.):?/{0,3}[a-z.]{0,6}/?[a-z./]{0,8}",
        "[0-9.]{0,8}",
        "/[a-z./]{0,8}",
        ".{0,12}",
    ]
}

/// Asserts that printing and parsing are inverse operations, and that the suggested values are valid.
fn holds<T: PartialEq + std::fmt::Debug + fmt::Display>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, Wrong>,
) {
    match parse(text) {
        Ok(read) => assert_eq!(parse(&read.to_string()).unwrap(), read, "{text}"),
        Err(Wrong { instead: Some(meant), .. }) => assert!(parse(&meant).is_ok(), "{text} -> {meant}"),
        Err(_) => {}
    }
}

#[test]
fn shell_syntax_is_no_uri() {
    for text in ["~/ckpt", "./~/ckpt", "$HOME/a", "./$HOME/a", "${HOME}/a", "../a.csv", "../../a"] {
        let wrong = Uri::parse(text).unwrap_err();
        assert!(wrong.instead.is_none() && wrong.help.contains("file:///"), "{text}: {wrong:?}");
    }
    for text in ["./a~", "./a/$x", "./~a", "file:///$HOME/a"] {
        assert!(Uri::parse(text).is_ok(), "{text}");
    }
}

proptest! {
    #[test]
    fn print_and_parse_are_inverse(text in near()) {
        holds(&text, Name::parse);
        holds(&text, Memory::parse);
        holds(&text, Duration::parse);
        holds(&text, Image::parse);
        holds(&text, AbsolutePath::parse);
        holds(&text, EnvName::parse);
        holds(&text, Text::parse);
        holds(&text, Uri::parse);
        holds(&text, Version::parse);
    }

    #[test]
    fn every_quantity_prints_and_parses_back(mebibytes in 1_u32..=1 << 30, seconds in 0_u32..=36_500 * 86_400, tenths in 1_u32..=100_000) {
        let memory = Memory::from_mebibytes(mebibytes);
        prop_assert_eq!(Memory::parse(&memory.to_string()), Ok(memory));
        let duration = Duration::from_seconds(seconds);
        prop_assert_eq!(Duration::parse(&duration.to_string()), Ok(duration));
        let cores = Cores::from_tenths(tenths);
        prop_assert_eq!(Cores::from_number(cores.to_string().parse().unwrap()), Ok(cores));
    }
}

#[test]
fn paths_are_limited_to_the_limits_of_linux() {
    for (step, count, fits) in [("/p", 1920, true), ("/p", 1921, false), ("/p", 2048, false)] {
        let path = step.repeat(count);
        assert_eq!(AbsolutePath::parse(&path).is_ok(), fits, "{count}");
        for host in ["file://", "nfs://filer", "pvc://claim"] {
            assert_eq!(Uri::parse(&format!("{host}{path}")).is_ok(), fits, "{host} {count}");
        }
        assert!(Uri::parse(&format!("hdfs://nn{path}")).is_ok(), "no path of Linux");
    }
    for (length, fits) in [(255, true), (256, false)] {
        assert_eq!(AbsolutePath::parse(&format!("/a/{}/b", "p".repeat(length))).is_ok(), fits, "{length}");
    }
}

/// [`crate::lowered::reference`] marks references with the first two characters. Tools for YAML refuse the other two.
#[test]
fn strings_cannot_contain_noncharacters() {
    for mark in super::NO_CHARACTERS.into_iter().chain(['\u{fffe}', '\u{ffff}']) {
        assert!(super::Text::parse(&format!("a{mark}")).is_err());
        assert!(super::AbsolutePath::parse(&format!("/a{mark}")).is_err());
        assert!(Uri::parse(&format!("gs://b/a{mark}")).is_err());
    }
    assert!(super::Text::parse("an icon \u{e000}").is_ok());
}
