//! A target accepts the edits that the help of its own refusal suggests.

use crate::request::{analyze, request};
use tfjob_lang::spec::values::Scheme;
use tfjob_targets::ALL;

#[test]
fn the_uris_that_a_refusal_of_logs_names_are_opened() {
    for (target, options) in
        [("dcos", "version \"2.1\""), ("kubernetes", ""), ("yarn", "hadoop \"3.4\"; dns-domain \"yc\"")]
    {
        let lent = ALL.iter().find(|lent| lent.name() == target).copied().unwrap_or(ALL[0]);
        let found = |logs: &str| -> Vec<String> {
            let text = format!(
                "job \"mnist\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"mirrored\"\n image \"ml/mnist:1.0\"\n \
                 hadoop home=\"/h\" java=\"/j\"\n role \"worker\" {{ run \"a\"; resources cpus=1 memory=\"1GiB\" }}\n \
                 target \"{target}\" {{ {options} }}\n \
                 tensorboard logs=\"{logs}\" {{ resources cpus=1 memory=\"1GiB\" }}\n}}\n"
            );
            let analysis = analyze(&request(&text));
            let checked = analysis.check(lent);
            let all = analysis.diagnostics.iter().chain(&checked.diagnostics);
            let told =
                all.filter(|d| ["unsupported-feature", "unsupported-file-system"].contains(&d.code.name));
            told.map(|d| format!("{} {}", d.message, d.help.as_deref().unwrap_or_default())).collect()
        };
        let refused = found("nfs://filer/logs").join(" ");
        let named: Vec<_> =
            Scheme::ALL.iter().filter(|scheme| refused.contains(&format!("`{}:`", scheme.word()))).collect();
        assert_eq!(named.len(), 3, "{target}: {refused}");
        for scheme in named {
            assert_eq!(found(&format!("{}://b/logs", scheme.word())), [""; 0], "{target}");
        }
    }
}

#[test]
fn a_driver_is_offered_where_a_driver_may_be_named() {
    let lent = ALL.iter().find(|lent| lent.name() == "kubernetes").copied().unwrap_or(ALL[0]);
    let mut offered = 0;
    for scheme in Scheme::ALL {
        let found = |options: &str| -> Vec<(&'static str, String)> {
            let text = format!(
                "job \"mnist\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"mirrored\"\n image \"ml/mnist:1.0\"\n \
                 data \"d\" \"{}\" at=\"/d\"\n role \"worker\" {{ run \"a\" \"/d\"; resources cpus=1 memory=\"1GiB\" }}\n \
                 target \"kubernetes\" {{ {options} }}\n}}\n",
                scheme.example()
            );
            let checked = analyze(&request(&text)).check(lent);
            checked.diagnostics.into_iter().map(|d| (d.code.name, d.help.unwrap_or_default())).collect()
        };
        let help = found("").into_iter().any(|(_, help)| help.contains("`csi`"));
        let named = found(&format!("csi \"{}\" driver=\"d.example.com\"", scheme.word()));
        let taken = !named.iter().any(|(code, _)| ["bad-option", "unsupported-feature"].contains(code));
        assert!(!help || taken, "{}: {named:?}", scheme.word());
        offered += usize::from(help);
    }
    assert_eq!(offered, 6);
}
