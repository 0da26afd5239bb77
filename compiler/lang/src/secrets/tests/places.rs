//! Tests with passwords that are recognizable by the text before them, and with keywords that are no credentials.
use super::{hidden, kdl};
use crate::sources::Format;

#[test]
fn a_password_behind_a_user_name_is_found() {
    for text in [
        "run \"curl\" \"-u\" \"me:hunter2\" \"https://h\"",
        "run \"curl\" \"-sS\" \"--user\" \"me:hunter2\"",
        "run \"curl\" \"--user=me:hunter2\"",
        "shell \"curl -u me:hunter2 https://h/x\"",
        "shell \"set -e; /usr/bin/curl -ume:hunter2 https://h/x\"",
        "shell \"wget --user me:hunter2 https://h/x\"",
        "shell \"x=$(curl -s -u 'me:hunter2' https://h/x)\"",
        "image \"reg.io/u:hunter2@x/ml:1\"",
        "role \"a\" image=\"u:hunter2@reg.io/ml:1\"",
    ] {
        assert_eq!(kdl(text), ["hunter2"], "{text}");
    }
    assert_eq!(hidden(Format::Yaml, "run:\n- curl\n- -u\n- me:hunter2\n"), ["hunter2"]);
    assert_eq!(hidden(Format::Yaml, "image: u:hunter2@reg.io/ml:1\n"), ["hunter2"]);
    assert_eq!(hidden(Format::Json, "{\"run\": [\"curl\", \"-u\", \"me:hunter2\"]}"), ["hunter2"]);
    assert_eq!(hidden(Format::Yaml, "job:\n  secret: { C: [myPasswordX1] }\n"), ["myPasswordX1"]);
    assert_eq!(hidden(Format::Yaml, "secret:\n  C:\n  - myPasswordX1\n"), ["myPasswordX1"]);
    for text in [
        "shell \"curl -u me https://h:80; curl -u me:$PW https://h; date -u +%H:%M; curl https://h:80/x\"",
        "run \"curl\" \"-u\" \"me:{env.PW}\"",
        "image \"reg.io:5000/ml/a:1.0@sha256:0123456789abcdef\"",
        "image \"reg.io:5000/ml/a@sha256:0123456789abcdef\"",
        "image \"ml/a:1\"; code \"git+https://h/r@v1\"",
    ] {
        assert_eq!(kdl(text), [""; 0], "{text}");
    }
}

#[test]
fn a_keyword_of_the_language_is_no_credential() {
    for text in ["secret \"my-secret\" env=TOKEN from=", "secret \"X\" \"from\"", "secret X key"] {
        assert!(!kdl(text).iter().any(|found| ["from", "env", "key"].contains(&found.as_str())), "{text}");
    }
}

#[test]
fn a_reference_behind_a_flag_is_no_credential() {
    for text in [
        "run \"a\" \"--token={env.TOKEN}\" \"--password\" \"{env.TOKEN}\"",
        "run \"a\" \"--api-key={env.WANDB_API_KEY}\" \"--token={param.token}\"",
        "run \"a\" \"DB_PASSWORD={env.DB}\"",
        "secret \"TOKEN\" from=\"hf\" key=\"token\"; run \"a\" \"--token={secret.TOKEN}\"; env { HF_TOKEN \"{secret.TOKEN}\"; }",
        "run \"a\" \"--token\" \"{secrets.HF_TOKEN}\"",
    ] {
        assert_eq!(kdl(text), [""; 0], "{text}");
    }
    assert_eq!(kdl("run \"a\" \"--token={hunter2}\""), ["{hunter2}"], "no reference");
    assert_eq!(kdl("run \"a\" \"--token={secret.hunter2x}\""), ["{secret.hunter2x}"], "no variable");
}

#[test]
fn the_names_of_secrets_are_no_credentials() {
    for text in [
        "tensorboard { secrets \"A\" \"B\"; }",
        "tensorboard { secrets \"A\" \"A\"; secrets \"TOKEN\" \"USER\"; secrets \"AWS_ACCESS_KEY_ID\" \"REGION\"; }",
        "secret \"S3KEY\" from=\"a\" key=\"b\"; tensorboard { secrets \"HF_TOKEN\" \"S3KEY\"; }",
    ] {
        assert_eq!(kdl(text), [""; 0], "{text}");
    }
    assert_eq!(kdl("tensorboard { secrets \"A\" \"HUNTER2\"; }"), ["HUNTER2"], "no secret has this name");
}
