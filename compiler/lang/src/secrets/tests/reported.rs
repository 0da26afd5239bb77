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
