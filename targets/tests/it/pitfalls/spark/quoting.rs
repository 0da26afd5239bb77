//! Arguments and environment variables reach the program unchanged: tfjob passes them in files, not through a shell or settings.
use super::compiled::{SMALL, good, one};

const HOSTILE: [&str; 14] = [
    "",
    "  a  ",
    "a,b#c=d",
    "a'b\\\"c",
    "$HOME `id` $(id)",
    "{{{{X}}",
    "${{env:HOME}",
    "<CPS>",
    "é漢😀",
    "a\\nb\\rc\\td",
    "--conf",
    "a\\\\b",
    "*~!;|&>",
    "{{\\\"a\\\":{{\\\"b\\\":1}}",
];

fn words() -> String {
    HOSTILE.map(|word| format!("\"{word}\"")).join(" ")
}

/// Returns the values of these strings, with escapes resolved and doubled braces reduced to one.
fn meant() -> Vec<String> {
    let read = |word: &str| {
        let text: String = serde_json::from_str(&format!("\"{word}\"")).unwrap();
        text.replace("{{", "{")
    };
    HOSTILE.iter().map(|word| read(word)).collect()
}

pub fn words_and_variables_travel_in_job_json() {
    let env: Vec<_> = HOSTILE.iter().enumerate().map(|(i, word)| format!("V{i} \"{word}\"")).collect();
    let spec = one(&format!("env {{ {} }}", env.join("; ")), SMALL, "")
        .replace("\"t.py\"", &format!("\"t.py\" {}", words()));
    let outcome = good(&spec);
    let job = outcome.job();
    let part = |value: &serde_json::Value| {
        value.as_array().unwrap().first().map_or("", |v| v.as_str().unwrap()).to_owned()
    };
    let argv: Vec<_> = job["roles"][0]["argv"].as_array().unwrap().iter().skip(2).map(part).collect();
    assert_eq!(argv, meant());
    let env: Vec<_> = job["roles"][0]["env"].as_array().unwrap().iter().map(|pair| part(&pair[1])).collect();
    assert_eq!(env, meant());
    let script = outcome.text("submit.sh");
    for word in meant().iter().filter(|w| w.len() > 3 && *w != "--conf") {
        assert!(!script.contains(word.as_str()), "{word:?} is in the script");
    }
}

pub fn words_of_the_target_are_one_word_of_the_shell() {
    let nasty = "a b'c\\\"d $(id) `id` !x *";
    let outcome = good(&one("", SMALL, &format!("conf {{ spark.ui.view.acls \"{nasty}\" }}")));
    assert_eq!(outcome.setting("spark.ui.view.acls").unwrap(), "a b'c\"d $(id) `id` !x *");
}
