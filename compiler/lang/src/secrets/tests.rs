//! Tests with notations of credentials, and with similar text that is not a credential.
mod places;
mod programs;
mod reported;
mod scripts;

use super::*;
use crate::sources::Sources;
use crate::spec::values::Scheme;

fn hidden(format: Format, text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let number = sources.add("a", format, text);
    let found = Credentials::of(&sources);
    found.within(sources.get(number)).iter().map(|at| text[at.clone()].to_owned()).collect()
}

fn kdl(text: &str) -> Vec<String> {
    hidden(Format::Kdl, text)
}

#[test]
fn the_value_of_a_secret_is_found_in_any_form() {
    for text in [
        "secret \"A_B\" \"hunter2\"",
        "secret A_B \"hunter2\"",
        "secret A_B hunter2",
        "secret A_B=hunter2",
        "secret \"A_B\" value=\"hunter2\"",
        "secret { A_B \"hunter2\" }",
        "secrets { A_B \"hunter2\" }",
        "secert {\n  A_B \"hunter2\"\n",
        "secret {\nA_B \"hunter2\"\n}",
        "secret\n  A_B \"hunter2\"",
        "secret \"A_B\" {\n  value \"hunter2\"\n}",
        "secret A_B form=\"hunter2\"",
        "secret: A_B: hunter2",
        "secret \"A_B\", \"hunter2\"",
        "secret \"A_B\" \\\n \"hunter2\"",
        "secret \"A_B\" \"hunter2",
        "/- secret \"A_B\" \"hunter2\"",
        "// secret \"A_B\" \"hunter2\"",
        "env:\n- name: DB_PASSWORD\n  value: hunter2\n",
        "patch \"Pod\" { env { - name=\"DB_PASSWORD\" value=\"hunter2\" } }",
        "env { - { value \"hunter2\"; name \"DB_PASSWORD\" } }",
        "environment { DB_PASSWORD \"hunter2\" }",
        "env DB_PASSWORD=hunter2",
        "param \"db-password\" \"hunter2\"",
        "run \"a\" \"--token\" \"hunter2\"",
        "run \"a\" \"--token=hunter2\"",
        "run a --token hunter2",
        "shell \"export API_TOKEN=hunter2; a\"",
        "shell \"\"\"\n  export API_TOKEN=hunter2\n  a\n  \"\"\"",
        "env { STORE \"postgres://u:hunter2@h/x\" }",
    ] {
        assert_eq!(kdl(text), ["hunter2"], "{text}");
    }
}

/// Tokens in webhook URLs and passwords after `mysql -p` are masked in reports.
#[test]
fn a_credential_that_its_place_tells_is_found() {
    for (address, token) in [
        ("https://hooks.slack.com/services/", "T0AAAAAAA/B0BBBBBBB/abcdefgh12345678"),
        ("https://discord.com/api/webhooks/", "123456789012/aBcD-eFgH_1234567890"),
        ("https://discordapp.com/api/webhooks/", "123456789012/aBcD-eFgH_1234567890"),
        ("https://acme.webhook.office.com/webhookb2/", "1234-abcd@5678/IncomingWebhook/abcd1234/ef"),
        ("https://api.telegram.org/bot", "123456789:AAabcdefghijklmnop/sendMessage"),
    ] {
        for text in [
            format!("env {{ NOTIFY \"{address}{token}\" }}"),
            format!("run \"a\" \"--notify\" \"{address}{token}\""),
            format!("run \"a\" \"--notify={address}{token}\""),
            format!("shell \"curl -X POST -d 'x' {address}{token}; exec a\""),
            format!("shell \"curl '{address}{token}'\""),
        ] {
            let found = kdl(&text);
            assert!(found.iter().any(|hidden| hidden.contains(token)), "{text}: {found:?}");
        }
    }
    for text in [
        "shell \"mysql -u root -phunter2 -e 'select 1'\"",
        "shell \"mysqldump -phunter2 db > x; a\"",
        "shell \"/usr/bin/mysqladmin -u root -p'hunter2' status\"",
        "run \"mysql\" \"-u\" \"root\" \"-phunter2\"",
        "run \"/usr/bin/mysql\" \"-phunter2\"",
        "shell \"cd /a && MYSQL_HOME=/x exec mysql -phunter2\"",
        "shell \"x=$(mysql -phunter2 -e q)\"",
        "run \"bash\" \"-ec\" \"mysql -phunter2\"",
        "run \"sh\" \"-c\" \"exec mysql -phunter2\"",
    ] {
        assert_eq!(kdl(text), ["hunter2"], "{text}");
    }
    // In a text with escapes, the whole text is masked.
    assert!(kdl("shell \"a; mysql -p\\\"hunter2\\\" db\"").concat().contains("hunter2"));
    assert!(
        kdl("shell \"\"\"\n  mysql -u root \\\n    -phunter2\n  a\n  \"\"\"").concat().contains("hunter2")
    );
    assert_eq!(hidden(Format::Json, "{\"run\": [\"mysql\", \"-phunter2\"]}"), ["hunter2"]);
    assert_eq!(hidden(Format::Yaml, "run:\n- mysql\n- -u\n- root\n- -phunter2\n"), ["hunter2"]);
    for text in [
        "env { HOOK \"https://hooks.slack.com/services/$SLACK_PATH\"; DOC \"https://api.slack.com/messaging/webhooks\" }",
        "env { HOOK \"https://hooks.slack.com/services/<your-token>\"; BOT \"https://api.telegram.org/bot{param.bot}/x\" }",
        "shell \"mysql -u root -p$PW; mysql -p db; mysql -p; mysql -P 3306 --protocol=tcp -h db\"",
        "shell \"mysql -u root -p\\\"$PW\\\" db; python t.py -phunter2\"",
        "shell \"mysql -u root\\npython t.py -phunter2\"",
        "run \"mysql\" \"-p\" \"db\"; run \"a\" \"-phunter2\"",
        "run \"python\" \"sync.py\" \"--db=mysql\" \"-p8080\"",
        "run \"python\" \"sync.py\" \"--engine\" \"mysql\" \"-p4\"",
        "image \"mysql:5\"; data \"mysql-p\" \"hdfs://a/mysql -x\"; run \"pip\" \"install\" \"mysql-client\" \"-pre\"",
        "annotations { \"vault.hashicorp.com/agent-inject-secret-s3\" \"kv/s3\"; vault.hashicorp.com/agent-inject-token \"kv/a1\" }",
    ] {
        assert_eq!(kdl(text), [""; 0], "{text}");
    }
}

#[test]
fn other_formats_are_read_too() {
    for text in [
        "{\"secret\": {\"A_B\": \"hunter2\"}}",
        "{\"secret\": {\"A_B\": {\"value\": \"hunter2\"}}}",
        "{\"env\": {\"DB_PASSWORD\": \"hunter2\"}",
        "{\"secret\": [{\"name\": \"A_B\", \"value\": \"hunter2\"}]}",
        "{\"args\": [\"--token\", \"hunter2\"]}",
        "{\"value\": \"hunter2\", \"name\": \"DB_PASSWORD\"}",
    ] {
        assert_eq!(hidden(Format::Json, text), ["hunter2"], "{text}");
    }
    for text in [
        "secret:\n  A_B: hunter2\n",
        "secret: {A_B: hunter2}",
        "secret:\n  A_B: |\n    hunter2\n",
        "secret:\n- name: A_B\n  value: hunter2\n",
        "env:\n  DB_PASSWORD: 'hunter2'\n",
        "env:\n  DB_PASSWORD: >-\n    hunter2\n",
        "env:\n  - name: DB_PASSWORD\n    value: hunter2",
        "args:\n - --token\n - hunter2\n",
        "kind: Secret\ndata:\n  a: hunter2\n",
    ] {
        assert_eq!(hidden(Format::Yaml, text), ["hunter2"], "{text}");
    }
    for text in
        ["env.DB_PASSWORD=hunter2", "secret.A=hunter2", "secret.A.value=hunter2", "role.w.secret.A=hunter2"]
    {
        assert_eq!(hidden(Format::Set, text), ["hunter2"], "{text}");
    }
}

#[test]
fn what_is_no_credential_stays_legible() {
    let none: [String; 0] = [];
    // Two kinds of schemes are excluded: those of web servers, because a URL may contain a token, and `abfs:`, because the part
    // before `@` may be a token.
    let stores = Scheme::ALL.iter().filter(|scheme| !scheme.class().is_served() && **scheme != Scheme::Abfs);
    for scheme in stores {
        let text = format!("env {{ API_TOKEN \"{}\" }}", scheme.example());
        assert_eq!(kdl(&text), none, "{text}");
    }
    for text in [
        "secret \"TOKEN\" from=\"store\" key=\"token\"",
        "secret \"TOKEN\" from=\"store\" key=\"token\"; run \"python\" \"train.py\"",
        "secret \"token\" from=\"store\" key=\"token\"\n    run \"python\" \"train.py\"",
        "secret \"TOKEN\" {\n  from \"store\"\n  key \"token\"\n}\nrun \"a\"",
        "secret { TOKEN from=\"store\" key=\"token\" at=\"/etc/x\"; }\nimage \"a\"",
        "secret \"TOKEN\" form=\"store\" keyy=\"token\"",
        "image \"a:1\" pull-secret=\"registry\"",
        "env { USE_TOKEN #true; TOKEN_FILE \"/x\"; EOS_TOKEN \"<s>\"; API_TOKEN \"{param.x}\" }",
        "// a secret of the store, and its token\nimage \"a\"",
        "// Pass the location of the data by reference: run \"python\" \"train.py\" \"{data.train}\"",
        "// Pass the data to \"train.py\"",
        "description \"its secret token: see the page\"",
        "run \"python\" \"train.py\" \"--tokens\" \"5\" \"--lr=0.1\"",
        "patch \"Pod\" { volumes { - name=\"v\" { secret { secretName \"store\"; optional #true } } } }",
        "valueFrom:\n  secretKeyRef:\n    name: store\n    key: token\n",
        "data \"token\" \"hdfs://a/b\"",
        "kerberos principal=\"a@B\" keytab=\"secret:KEYTAB\"",
        "shell \"TOKEN=$(cat /x) python a.py\"",
        "shell \"curl -H 'Authorization: Bearer $TOKEN' -u $USER; export PGPASSWORD=${PW} A=`cat b`\"",
        "env { DIR \"/data/train\"; HASH \"dGhlL2RhdGEvdHJhaW4=\"; SORT_KEY \"name1\"; STOP_TOKEN \"worker\" }",
        "env { HF_TOKEN \"/run/secrets/hf-token\"; GOOGLE_APPLICATION_CREDENTIALS \"/etc/GCP/a1.json\" }",
        "env { PWD \"/work1\"; BYPASS \"a1\"; FORWARD_PASS \"a1\"; TOKEN_TTL \"3600\"; USE_PASSWORD \"1\"; MAX_TOKENS 4096 }",
        "env { FROM \"hdfs://nn:8020/a@b\"; TO \"docker://host:5000/a@sha256:ab12\"; GIT \"ssh://git@host:22/x\" }",
        "env { A \"task-0123456789abcdefghij\"; B \"disk-A1-b2-c3-d4-e5-f6-g7-h8\"; C \"hf_hub_download_model_v2\" }",
        "run \"a\" \"--token\" \"--lr=0.1\" \"--password\" \"-v\" \"--ask-password\"\nimage \"a1\"",
        "env:\n- {name: A_SECRET, valueFrom: {secretKeyRef: {name: a1, key: awsSecretKey}}}\n- {name: B, value: b1}\n",
        "env:\n- name: A_SECRET\n  valueFrom:\n    secretKeyRef:\n      key: awsSecretKey\n- name: B\n  value: b1\n",
        "conf { a.secretKeyRef.AWS_SECRET_ACCESS_KEY \"aws:key\"; \"a.secretKeyRef.MLFLOW_TOKEN\" \"ml-flow:token.1\" }",
        "env { DB_PASSWORD \"{param.a}{param.b}\"; API_TOKEN \"$(TOKEN)\"; A_SECRET \"vault:kv/a1\" }",
    ] {
        assert_eq!(kdl(text), none, "{text}");
    }
    for text in [
        "secret:\n  TOKEN:\n    secretKeyRef: { name: wandb, key: api-key }\nimage: a\n",
        "secret: { TOKEN: { secretKeyRef: { name: wandb, key: api-key } } }\n",
        "secret: { TOKEN: { valueFrom: { secretKeyRef: { name: wandb, key: api-key } } } }\n",
        "imagePullSecrets: [regcred]\n",
        "imagePullSecrets: [{ name: regcred }]\n",
    ] {
        assert_eq!(hidden(Format::Yaml, text), none, "{text}");
    }
    assert_eq!(kdl("imagePullSecrets \"regcred\""), none);
    assert_eq!(hidden(Format::Yaml, "secret:\n  TOKEN:\n    from: store\n    key: token\nimage: a\n"), none);
    assert_eq!(
        hidden(
            Format::Json,
            "{\"secret\": {\"T\": {\"from\": \"store\", \"key\": \"token\"}}, \"image\": \"a\"}"
        ),
        none
    );
    assert_eq!(hidden(Format::Set, "secret.A.from=store"), none);
}

/// A `;` is missing after a complete `secret`, so the next entry is on the same line. That entry is not masked.
#[test]
fn an_entry_that_runs_into_a_whole_secret_stays_legible() {
    let none: [String; 0] = [];
    for entry in crate::syntax::names::ENTRIES {
        for text in [
            format!("secret \"A\" from=\"x\" key=\"k\" {entry} \"b1\" cpus=1 memory=\"1GiB\""),
            format!("role \"w\" {{ secret A key=\"k\" from=\"x\" {entry} {{ a1 }} ; run \"a\" }}"),
        ] {
            // If the entry is itself a `secret`, it gets a valid reference, so that it contains nothing to mask.
            let second = if entry.starts_with("secret") {
                text.replace("cpus=1 memory", "from=\"x\" key")
            } else {
                text
            };
            let second = if entry.starts_with("secret") {
                second.replace("{ a1 }", "\"B\" from=\"y\" key=\"k\"")
            } else {
                second
            };
            assert_eq!(kdl(&second), none, "{second}");
        }
    }
    for text in [
        "secret \"A\" from=\"x\" key=\"k\" \"hunter2\" resources cpus=1",
        "secret \"A\" from=\"x\" value=\"hunter2\" resources cpus=1",
        "secret \"A\" from=\"x\" key=\"k\" env { DB_PASSWORD \"hunter2\" }",
        "secret \"A\" from=\"x\" key=\"k\" secret \"B\" \"hunter2\"",
        "secret \"A\" from=\"x\" key=\"k\" value=hunter2",
        "secret \"A\" \"hunter2\"",
        "secrets \"DB_PASSWORD\" \"hunter2\"",
        "secrets \"AWS_ACCESS_KEY_ID\" \"AWS_SECRET_ACCESS_KEY\" \"hunter2\"",
    ] {
        assert_eq!(kdl(text), ["hunter2"], "{text}");
    }
    // Without `from`, any word after the name may be the value of the secret.
    assert_eq!(kdl("secret \"A\" resources"), ["resources"]);
    assert_eq!(kdl("secret \"A\" from=\"x\" value=resources"), ["resources"]);
    assert_eq!(kdl("secret \"A\" from=\"x\" \"resources\""), ["resources"]);
}

#[test]
fn a_value_is_taken_out_of_a_text_whole_or_in_part() {
    let mut scrubber = Scrubber::default();
    for value in ["hunter2", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY", "p\\u{61}ssw0rd-of-all", "-+-+"] {
        scrubber.add(value);
    }
    for (text, expected) in [
        ("`hunter2` is bad", "`***` is bad"),
        ("hunter21 is another", "hunter21 is another"),
        ("from=\"wJalrXUtnFEMI/K7MDENG/bPxRfiCY\"", "from=\"***\""),
        ("wJalrXUtnFEMI/K7…", "***…"),
        ("`K7MDENG` is unknown", "`***` is unknown"),
        ("passw0rd of ALL", "***"),
        ("a -+-+ b", "a *** b"),
        ("nothing", "nothing"),
    ] {
        assert_eq!(scrubber.scrub(text), expected);
    }
}

#[test]
fn a_value_is_found_in_a_text_under_its_escapes() {
    let mut scrubber = Scrubber::default();
    ["hunter2hunter2", "s3cr3t!"].into_iter().for_each(|value| scrubber.add(value));
    for (text, expected) in [
        (r#"PW "hunter2hunter2""#, vec!["hunter2hunter2"]),
        (r#"\t "hunter2hunter\u{32}" \n "s3cr3t\u0021""#, vec![r"hunter2hunter\u{32}", r"s3cr3t\u0021"]),
        (r#"é \\ "hunter2\x68unter2""#, vec![r"hunter2\x68unter2"]),
        (r#"a \"#, vec![]),
    ] {
        let found: Vec<&str> = scrubber.find(text).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_hostile_text_takes_no_longer_than_a_plain_one() {
    for part in [
        "#\"a ",
        "secret \"a\", ",
        "\"",
        "{",
        "secret\n ",
        "'a ",
        "a=b ",
        "\\\"",
        "\"\"\"",
        "x: |\n",
        "- ",
        "://a:b@",
        "echo a | docker login --password-stdin ",
        "--password-stdin <<A ",
        "--password-stdin",
        "echo a|",
        "sshpass -p 'a;",
        "a(",
    ] {
        let text = part.repeat(40_000 / part.len());
        for format in [Format::Kdl, Format::Yaml] {
            hidden(format, &text);
        }
    }
}

#[test]
fn nothing_but_the_fields_of_a_reference_to_a_secret_stays_legible() {
    for (format, text, value) in [
        (Format::Yaml, "secret:\n  TOKEN: { valueFrom: \"correct-horse-7\" }\n", "correct-horse-7"),
        (Format::Yaml, "secret:\n  TOKEN: { secretKeyRef: correct-horse-8 }\n", "correct-horse-8"),
        (Format::Yaml, "secret:\n  TOKEN: { valueFrom: { value: correct-horse-9 } }\n", "correct-horse-9"),
        (
            Format::Yaml,
            "secret:\n  TOKEN:\n    valueFrom:\n      value: correct-horse-9\n",
            "correct-horse-9",
        ),
        (
            Format::Yaml,
            "secret:\n  TOKEN:\n    secretRef:\n      name: { value: correct-horse-9 }\n",
            "correct-horse-9",
        ),
        (
            Format::Json,
            "{\"secret\": {\"T\": {\"valueFrom\": {\"x\": \"correct-horse-7\"}}}}",
            "correct-horse-7",
        ),
        (
            Format::Yaml,
            "secret: { T: { secretKeyRef: { name: wandb, key: 3f9a8c7b6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a } } }\n",
            "3f9a8c7b",
        ),
        (Format::Json, "{\"secret\": {\"T\": {\"secretKeyRef\": [\"correct-horse-7\"]}}}", "correct-horse-7"),
    ] {
        let found = hidden(format, text);
        assert!(found.iter().any(|hidden| hidden.contains(value)), "{text}: {found:?}");
    }
    for text in [
        "secret \"T3\" { valueFrom \"correct-horse-7\" }",
        "conf { a.secretKeyRef.TOKEN \"correct-horse-7\" }",
        "conf { a.secretKeyRef.TOKEN \"user:correct-horse-7:x\" }",
        "secret \"T3\" { valueFrom { value \"correct-horse-7\" } }",
    ] {
        assert!(kdl(text).iter().any(|hidden| hidden.contains("correct-horse-7")), "{text}");
    }
}

/// A patch of a platform object, on one line or several.
#[test]
fn a_reference_of_an_app_to_its_secrets_is_legible() {
    let patch = |text: &str| format!("target \"x\" {{\n  patch #\"\"\"\n{text}\n  \"\"\"#\n}}\n");
    for text in [
        r#"{"env":{"X":{"secret":"x"}},"secrets":{"x":{"source":"ml/x"}}}"#,
        r#"{"secrets":{"unused":{"source":"a/b"}}}"#,
        r#"{"container":{"docker":{"pullConfig":{"secret":"x"}}}}"#,
        "{env: {A: {secret: key}}, secrets: {key: {source: mnist/key}}}",
        "env:\n  A: {secret: key}\n  DB_PASSWORD:\n    secret: db-pw\nsecrets:\n  key: {source: mnist/key}\n  db-pw:\n    source: mnist/db\n",
        "container: {docker: {pullConfig: {secret: registry}}}\nsecrets:\n  registry: {source: ml/registry}\n",
        "{\n\"env\": {\"DB_PASSWORD\": {\"secret\": \"db-pw\"}},\n\"secrets\": {\n\"db-pw\": {\"source\": \"mnist/db\"}}}",
    ] {
        assert_eq!(kdl(&patch(text)), [""; 0], "{text}");
    }
    let digest = "3f9a8c7b6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a";
    for (text, value) in [
        (
            "env:\n  A:\n    secret: correct-horse-7\nsecrets:\n  key: {source: mnist/key}\n",
            "correct-horse-7",
        ),
        ("secrets:\n  db-pw:\n    value: correct-horse-7\n", "correct-horse-7"),
        ("secrets:\n  db-pw: correct-horse-7\n", "correct-horse-7"),
        (&format!("secrets:\n  db-pw:\n    source: {digest}\n"), digest),
    ] {
        let found = kdl(&patch(text));
        assert!(found.iter().any(|hidden| hidden.contains(value)), "{text}: {found:?}");
    }
    let found = kdl("secrets {\n  T {\n    source \"correct-horse-7\"\n  }\n}\n");
    assert!(found.iter().any(|hidden| hidden.contains("correct-horse-7")), "{found:?}");
}
