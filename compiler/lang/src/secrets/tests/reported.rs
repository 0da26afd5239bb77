//! Tests with credentials that were once printed or missed, and with texts that were once masked by mistake.
use super::{hidden, kdl};
use crate::secrets::{Credentials, scrubber};
use crate::sources::{Format, Sources};

#[test]
fn a_name_with_spaces_suggests_a_credential() {
    for text in [
        "env { \"API TOKEN\" \"hunter2\"; }",
        "env {\n  \"db password\" \"hunter2\"\n}",
        "env { \"API KEY\" \"hunter2\"; }",
        "param \"db password\" \"hunter2\"",
    ] {
        assert_eq!(kdl(text), ["hunter2"], "{text}");
    }
    assert_eq!(hidden(Format::Json, "{\"env\": {\"API TOKEN\": \"hunter2\"}}"), ["hunter2"]);
    assert_eq!(hidden(Format::Yaml, "env:\n  \"API TOKEN\": hunter2\n"), ["hunter2"]);
    assert_eq!(hidden(Format::Set, "env.\"API TOKEN\"=hunter2"), ["hunter2"]);
    assert_eq!(kdl("description \"needs the API token\"; image \"a1\"; run \"the token\" \"b1\""), [""; 0]);
}

#[test]
fn a_value_in_place_of_the_name_of_a_secret_is_found() {
    for value in ["Xq7ZZsecretZZ9v", "hunter2!", "kv/Xq7ZZsecretZZ9v"] {
        assert_eq!(kdl(&format!("secret \"API_TOKEN\" from=\"{value}\"")), [value]);
        assert_eq!(kdl(&format!("secret \"A\" from=\"{value}\" key=\"k\"")), [value]);
        assert_eq!(hidden(Format::Set, &format!("secret.A.from={value}")), [value]);
    }
    for name in
        ["store", "A_B", "ml/mnist/key1", "hfTokens2", "my secret", "{param.store}", "team-a.20240101"]
    {
        assert_eq!(kdl(&format!("secret \"A\" from=\"{name}\" key=\"awsKey1\"")), [""; 0], "{name}");
    }
}

#[test]
fn a_setting_with_an_image_or_a_misspelled_name_is_read() {
    let set = |text: &str| hidden(Format::Set, text);
    assert_eq!(set("image=u:hunter2@r.example.com/x:1"), ["hunter2"]);
    assert_eq!(set("role.worker.image=u:hunter2@r.example.com/x:1"), ["hunter2"]);
    assert_eq!(set("image=ml/x:1@sha256:0123456789abcdef"), [""; 0]);
    assert_eq!(set("param.tokn=hunter2"), ["hunter2"]);
    assert_eq!(set("env.DB_PASWORD=hunter2"), ["hunter2"]);
    // A declared name is no misspelling.
    let mut sources = Sources::default();
    sources.add("a", Format::Kdl, "param \"taken\" \"x\"");
    let number = sources.add("--set", Format::Set, "param.taken=hunter2");
    assert!(Credentials::of(&sources).within(sources.get(number)).is_empty());
}

#[test]
fn a_credential_does_not_extend_into_the_next_setting() {
    let text = "project { environment \"i\" { set \"param.db-password=Xq7ZZsecretZZ9v\" \"image=u:Xq7ZZsecretZZ9v@x\"; } }";
    assert_eq!(kdl(text), ["Xq7ZZsecretZZ9v"; 2]);
    let mut sources = Sources::default();
    sources.add("a", Format::Kdl, text);
    let message = "invalid image reference `u:Xq7ZZsecretZZ9v@x`";
    assert_eq!(scrubber([&sources].into_iter()).scrub(message), "invalid image reference `u:***@x`");
}

#[test]
fn missed_credentials_are_found() {
    let key = "0123456789abcdef0123456789abcdef";
    for text in [
        "env { KAGGLE_KEY \"VALUE\"; }",
        "env { REDISCLI_AUTH \"VALUE\"; }",
        "env { SSHPASS \"VALUE\"; }",
        "env { MYSQL_ROOT_PW \"VALUE\"; }",
        "env { ETCDCTL_USER \"root:VALUE\"; }",
        "shell \"ETCDCTL_USER=root:VALUE etcdctl get a\"",
        "env { DSN \"Driver=x;Server=h;Uid=u;Pwd=VALUE;\"; }",
        "env { DSN \"Driver=x;Server=h;UID=u;PWD=VALUE;\"; }",
        "run \"python\" \"t.py\" \"token:VALUE\"",
        "run \"python\" \"-c\" #\"import wandb; wandb.login(key=\"VALUE\")\"#",
        "run \"python\" \"-c\" \"import wandb; wandb.login(key='VALUE')\"",
        "run \"python\" \"-c\" \"wandb.login(key=\\\"VALUE\\\")\"",
    ] {
        assert_eq!(kdl(&text.replace("VALUE", key)), [key], "{text}");
    }
    let age = "AGE-SECRET-KEY-1QYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQ";
    assert_eq!(kdl(&format!("env {{ A \"{age}\"; }}")), [age]);
    for text in [
        "env { BASIC_AUTH \"kerberos1\"; AUTH \"ldap2\"; ETCDCTL_USER \"root\"; KAGGLE_KEY \"{env.K}\"; }",
        "shell \"cd /a;pwd=/b1 c; wandb.login(key=key); ETCDCTL_USER=root:$PW a\"",
        "image \"token:1.0-20240101\"",
        "env { DSN \"Driver=x;Uid=u;Pwd={param.pw}\"; }",
    ] {
        assert_eq!(kdl(text), [""; 0], "{text}");
    }
}

#[test]
fn prose_patterns_and_partitions_are_no_credentials() {
    for text in [
        "shell \"echo token: missing; echo 'password: see vault'\"",
        "description \"reads the token from Vault; password rotation: monthly\"",
        "shell \"sed -i 's/password=.*/password=REDACTED/' c.ini\"",
        "data \"d\" \"gs://b/token=abc/key=1/*.csv\"",
        "data \"d\" \"hdfs://n:8020/a/token=abc1/x\"",
    ] {
        assert_eq!(kdl(text), [""; 0], "{text}");
    }
    for text in [
        "shell \"echo 'password: hunter2' > c.yaml\"",
        "shell \"sed -i 's/password=.*/password=hunter2/' c.ini\"",
        "run \"curl\" \"https://h/x?a=1&token=hunter2\"",
    ] {
        assert!(kdl(text).concat().contains("hunter2"), "{text}");
    }
}

/// Specs with an argument that is named `secret`, in all its notations.
const SECRET_ARGUMENTS: [&str; 9] = [
    "run \"a\" \"--secret=VALUE\"",
    "run \"a\" \"--secret\" \"VALUE\" \"--lr=1\"",
    "run \"a\" \"-secret\" \"VALUE\"",
    "run \"a\" \"secret=VALUE\"",
    "run \"curl\" \"https://h/x?a=1&secret=VALUE\"",
    "shell \"a --secret VALUE; b\"",
    "shell \"a --secret=VALUE; b\"",
    "shell \"curl -d 'secret=VALUE' https://h\"",
    "env { ARGS \"--secret=VALUE\"; }",
];

#[test]
fn the_value_of_an_argument_named_secret_is_found() {
    for value in ["qa07xKwOLD", "9f8e7d6c5b4a", "Hunter2", "hunter2!", "123e4567-e89b-12d3-a456-426614174000"]
    {
        for text in SECRET_ARGUMENTS {
            assert_eq!(kdl(&text.replace("VALUE", value)), [value], "{text}");
        }
        let found = |format, text: &str| hidden(format, &text.replace("VALUE", value));
        assert_eq!(found(Format::Json, "{\"args\": [\"--secret\", \"VALUE\"]}"), [value]);
        assert_eq!(found(Format::Json, "{\"args\": [\"--secret=VALUE\"]}"), [value]);
        assert_eq!(
            found(Format::Json, "{\"argv\": [[{\"text\": \"--secret\"}], [{\"text\": \"VALUE\"}]]}"),
            [value]
        );
        assert_eq!(found(Format::Yaml, "args:\n- --secret\n- VALUE\n"), [value]);
    }
}

/// The name of a secret in a store, its address, its file, and a reference to it.
#[test]
fn an_argument_named_secret_may_name_a_secret_of_a_store() {
    for name in [
        "hf-token",
        "db-password-2",
        "regcred",
        "mlflow2",
        "team-v1a2b3",
        "MyAppSecret",
        "HuggingFace",
        "MyDb-a1B2c3",
        "S3_KEY",
        "AWS_S3_ACCESS_KEY_2",
        "kv/ml/mnist",
        "projects/123456789012/secrets/Db/versions/7",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:MyDb-a1B2c3",
        "https://myvault.vault.azure.net/secrets/Db/0123456789abcdef0123456789abcdef",
        "gcp-sm://projects/a1b2c3d4e5f6/secrets/Db",
        "/run/secrets/a",
        "{param.s}",
        "$SECRET",
        "true",
    ] {
        for text in SECRET_ARGUMENTS {
            assert_eq!(kdl(&text.replace("VALUE", name)), [""; 0], "{text} {name}");
        }
    }
    let build = "shell \"docker build --secret id=npmrc1,src=/a/b1 .; tool x --pull-secret=regcred1; a --secret; b1\"";
    assert_eq!(kdl(build), [""; 0]);
    // A password in the address is none the less a credential.
    assert_eq!(kdl("run \"a\" \"--secret\" \"redis://u:hunter2@h/0\""), ["hunter2"]);
}

#[test]
fn the_login_of_a_registry_is_found() {
    for login in ["cm9ib3Q6aHVudGVyMg==", "cm9ib3Q6aHVudGVyMmEtYjE="] {
        let file = format!(r#"{{"auths":{{"r.io":{{"auth":"{login}"}}}}}}"#);
        let old_file = format!(r#"{{"https://r.io/v1/": {{"email": "a@b", "auth": "{login}"}}}}"#);
        for file in [file, old_file] {
            let escaped = file.replace('"', "\\\"");
            for text in [
                format!("env {{ DOCKER_AUTH_CONFIG #\"{file}\"#; }}"),
                format!("env {{ DOCKER_AUTH_CONFIG \"{escaped}\"; }}"),
                format!("shell #\"echo '{file}' > ~/.docker/config.json\"#"),
            ] {
                assert_eq!(kdl(&text), [login], "{text}");
            }
            let map =
                format!("{{\"kind\": \"ConfigMap\", \"data\": {{\".dockerconfigjson\": \"{escaped}\"}}}}");
            assert_eq!(hidden(Format::Json, &map), [login], "{map}");
            let applied = map.replace('\\', "\\\\").replace('"', "\\\"");
            let text = format!("{{\"annotations\": {{\"applied\": \"{applied}\"}}}}");
            assert_eq!(hidden(Format::Json, &text), [login], "{text}");
            for text in [
                format!("data:\n  .dockerconfigjson: '{file}'\n"),
                format!("data:\n  config.json: |\n    {file}\n"),
                format!("auths:\n  r.io:\n    auth: {login}\n"),
            ] {
                assert_eq!(hidden(Format::Yaml, &text), [login], "{text}");
            }
        }
        assert_eq!(kdl(&format!("env {{ PROXY_BASIC_AUTH \"{login}\"; }}")), [login]);
        assert_eq!(hidden(Format::Set, &format!("env.PROXY_BASIC_AUTH={login}")), [login]);
    }
    // A method, a switch, a name, a reference, and Base64 of other texts.
    for value in
        ["basic", "kerberos1", "Negotiate", "{param.auth}", "dGhlL2RhdGEvdHJhaW4=", "AAAAAAAA", "train:2.15"]
    {
        let text = format!("env {{ HTTP_AUTH \"{value}\"; A #\"{{\"auth\": \"{value}\"}}\"#; }}");
        assert_eq!(kdl(&text), [""; 0], "{text}");
    }
}

#[test]
fn the_password_of_a_data_source_name_is_found() {
    for place in [
        "tcp(db:3306)/x",
        "tcp(db)/x?parseTime=true",
        "unix(/run/mysql.sock)/x",
        "tcp6([::1]:1)/",
        "(db:3306)/x",
    ] {
        for text in [
            "env { MYSQL_DSN \"u:VALUE@PLACE\"; }",
            "env { CONFIG #\"{\"dsn\":\"u:VALUE@PLACE\"}\"#; }",
            "env { CONFIG \"{\\\"dsn\\\":\\\"u:VALUE@PLACE\\\"}\"; }",
            "run \"a\" \"--dsn=u:VALUE@PLACE\"",
            "run \"a\" \"--dsn\" \"u:VALUE@PLACE\"",
            "shell \"export DSN='u:VALUE@PLACE'; a\"",
            "run \"a\" \"dsn: u:VALUE@PLACE\"",
            "run \"a\" \"dsn:\u{a0}u:VALUE@PLACE\"",
            "run \"a\" \"\u{3000}u:VALUE@PLACE\"",
        ] {
            for value in ["hunter2", "a/b@c:d"] {
                let text = text.replace("VALUE", value).replace("PLACE", place);
                assert_eq!(kdl(&text), [value], "{text}");
            }
        }
        let text = format!("data:\n  dsn: u:hunter2@{place}\n  c.yaml: |\n    dsn: u:hunter2@{place}\n");
        assert_eq!(hidden(Format::Yaml, &text), ["hunter2"; 2], "{text}");
        let text = format!("{{\"data\": {{\"dsn\": \"u:hunter2@{place}\"}}}}");
        assert_eq!(hidden(Format::Json, &text), ["hunter2"], "{text}");
    }
    for text in [
        "env { A \"u:{param.pw}@tcp(db:3306)/x\"; B \"u:$PW@tcp(db)/x\"; C \"u@tcp(db:3306)/x\"; D \"u:@tcp(db)/x\"; }",
        "env { A \"u:<password>@tcp(db)/x\"; B \"u:***@tcp(db)/x\"; }",
        "shell \"a: b@tcp (c); mail a:b@c.org; f(x:@g(y))\"",
    ] {
        assert_eq!(kdl(text), [""; 0], "{text}");
    }
}

#[test]
fn a_key_with_a_domain_suggests_a_credential_by_its_name() {
    let value = "qb07xKwLIVE";
    for key in
        ["vault.hashicorp.com/token", "vault.hashicorp.com/agent-token", "a.io/api-key", "b.c/db-password"]
    {
        assert_eq!(kdl(&format!("annotations {{ \"{key}\" \"{value}\"; }}")), [value], "{key}");
        assert_eq!(
            hidden(Format::Json, &format!("{{\"annotations\": {{\"{key}\": \"{value}\"}}}}")),
            [value],
            "{key}"
        );
        assert_eq!(hidden(Format::Yaml, &format!("annotations:\n  {key}: {value}\n")), [value], "{key}");
    }
    // The configuration of the Vault injector.
    for (key, value) in [
        ("agent-inject", "true"),
        ("agent-inject-token", "true"),
        ("agent-inject-secret-s3", "kv/data/S3key1"),
        ("agent-inject-template-db-password", "{{ with secret `kv/S3key1` }}x{{ end }}"),
        ("agent-inject-secret-db-password", "database/creds/Reader1"),
        ("agent-cache-use-auto-auth-token", "force1"),
        ("secret-volume-path-db-password", "vault/Db1"),
        ("tls-secret", "vault-tls-2"),
        ("preserve-secret-case", "true"),
        ("role", "ml-Role1"),
        ("auth-path", "auth/Login1"),
    ] {
        let key = format!("vault.hashicorp.com/{key}");
        assert_eq!(kdl(&format!("annotations {{ \"{key}\" \"{value}\"; }}")), [""; 0], "{key}");
        let text = format!("{{\"annotations\": {{\"{key}\": \"{value}\"}}}}");
        assert_eq!(hidden(Format::Json, &text), [""; 0], "{key}");
    }
}

#[test]
fn a_password_in_a_document_ends_with_its_string() {
    let text = r#"{"a":"https://u:hunter2@h/x","b":["see"],"c":"postgres://u:a/b@c@h/x","d":"https://h/x","e":"git@h"}"#;
    let escaped = text.replace('"', "\\\"");
    for text in [format!("env {{ A #\"{text}\"#; }}"), format!("env {{ A \"{escaped}\"; }}")] {
        assert_eq!(kdl(&text), ["hunter2", "a/b@c"], "{text}");
    }
    let shell = "shell \"a 'https://u:hunter2@h/x','https://h/x';b 'https://u:hunter3@h'\"";
    assert_eq!(kdl(shell), ["hunter2", "hunter3"]);
}
