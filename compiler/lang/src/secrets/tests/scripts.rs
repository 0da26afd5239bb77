//! Tests with realistic scripts and values, with and without a credential. The indentation of a script must not affect the result.
use super::{hidden, kdl};
use crate::sources::Format;
use std::collections::BTreeMap;

/// Scripts without a credential.
const HARMLESS: &[&str] = &[
    "set -euo pipefail\ncd /work\npython train.py --lr=0.001 --batch-size 256 --optimizer adam",
    "export HF_TOKEN=$(cat /run/secrets/hf/token)\npython train.py\nwait",
    "export DB_PASSWORD=\"$(cat /etc/db/password)\"\nif test -n \"$DB_PASSWORD\"\nthen\npython load.py\nfi",
    "TOKEN_FILE=/run/secrets/token\nAPI_TOKEN=`cat $TOKEN_FILE`\nexec python a.py",
    "git clone https://github.com/org/repo.git src\ncd src\ngit checkout 3f9a8c7b6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a\npip install -r requirements.txt",
    "curl -fsS http://ps-0.mnist.svc:8080/healthz\nsha256sum -c <<< 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  data.tar'",
    "python -c 'import tensorflow as tf; print(tf.config.list_physical_devices(\"GPU\")); assert tf.__version__ >= \"2.15\"'",
    "python - <<PY\nimport os\ntoken = os.environ[\"HF_TOKEN\"]\nprint(len(token))\nPY\npython train.py",
    "echo 'dGhlIHF1aWNrIGJyb3duIGZveA==' | base64 -d > /tmp/message.txt\ncat /tmp/message.txt",
    "for key in images labels\ndo\naws s3 cp s3://bucket/mnist/$key.gz /data\ndone",
    "export PYTHONPATH=/app/src:/opt/lib PATH=/opt/bin:$PATH\nexport NCCL_DEBUG=INFO NCCL_SOCKET_IFNAME=eth0\npython -m app.train --dataset imagenet2012:5.1.0",
    "case $TFJOB_INDEX in\n0) python chief.py ;;\n*) python worker.py --pass-through ;;\nesac",
    "torchrun --nnodes=4 --rdzv-endpoint=worker-0:29500 --rdzv-id 1234567890 train.py --max-tokens 4096 --pad-token '<pad>'",
    "python train.py \\\n--tokenizer bert-base-uncased \\\n--eos-token '</s>' \\\n--key-frames 25 \\\n--password-file /run/secrets/db",
    "read -r PASSWORD < /run/secrets/db\nexport PASSWORD\npython etl.py --host db.example.com --port 5432 -p 5432",
    "cat > conf.yaml <<EOF\nmodel: resnet50\ntokenizer:\n  name: gpt2\nauth: none\nEOF\npython train.py --config conf.yaml",
    "[ -z \"$API_KEY\" ] && { echo 'API_KEY is not set' >&2; exit 1; }\npython infer.py --api-key \"$API_KEY\"",
    "kinit -kt /etc/security/me.keytab me@EXAMPLE.COM\nhdfs dfs -get hdfs://nn:8020/user/me/train train",
    "password=$(vault kv get -field=password secret/db)\npython a.py\ndone_file=/tmp/done\ntrue",
    "export SECRET_NAME=db SECRET_PATH=kv/data/db\npython a.py\nwait",
    "mkdir -p out\ntar xzf code.tgz\nssh-keygen -y -f ~/.ssh/id_rsa > /dev/null\nmake -j8",
    "# Secrets are mounted by the platform\nls /run/secrets\npython a.py --epochs 5\nwait",
    "secrets=/run/secrets\nls $secrets\nfor secret in a b\ndo\ncat $secrets/$secret > /dev/null\ndone\npython a.py",
    "# secret: mounted at /run/secrets\npython a.py\n# token: see the store\nwait",
    "python - <<PY\nimport secrets\nsecrets.token_hex(8)\nsecret = load()\nPY\nvault kv get secret/db\nclusterctl get secret db -o yaml",
    "clusterctl create secret generic db --from-literal=password=$PW\nclusterctl delete secret db\nsecret\nwait",
    "volumes:\n- name: s\n  secret:\n    secretName: db",
    "DB_PASSWORD=$(cat /run/secrets/db)\nwait\nclean\nexec python a.py",
    "import getpass\npassword = getpass.getpass()\nif password:\npass\nkey = os.getenv('API_KEY', '')\napi_key = cfg[\"key\"]",
    "docker run -p 8080:80 registry.example.com/serve\nssh -p 2222 host uptime\nwandb login --relogin\nredis-cli -h cache -a $PW ping",
    "printf '%s\\n' \"$PW\" | docker login --password-stdin\ncat /run/secrets/r | docker login --password-stdin",
    "docker login --password-stdin <<< \"$PW\"\nsshpass -p \"$PW\" ssh h 'ls -l'\necho done | tee log",
    "docker login --password-stdin <<EOF\n$PW\nEOF\necho 'first run' | tee log",
    "password = load(path)\nwait\ntoken = os.environ.get('TOKEN', None)",
    "echo $REGISTRY_PASSWORD | docker login -u me --password-stdin\necho 'machine h login me password '$PW",
    "docker login -u \"$USER\" --password-stdin < /run/secrets/registry\ntrain",
    "docker login --password-stdin <<EOF\n$PW\n\nEOF\necho 'first run' | tee log",
    "sed -i 's/^password: .*$/password: ${PW}/' c.yaml\nexport PASSWORD_FORMAT='%s:%s\\n'\npython a.py --password '%(password)s'",
];

/// A script, and its credential.
const LEAKS: &[(&str, &str)] = &[
    ("export AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLQ\npython a.py", "AKIAIOSFODNN7EXAMPLQ"),
    (
        "export AWS_SECRET_ACCESS_KEY=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\npython a.py",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz",
    ),
    (
        "git clone https://ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123@github.com/org/repo",
        "ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123",
    ),
    (
        "curl -H 'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U' https://h/x",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    ),
    ("psql postgresql://ml:hunter2@db:5432/features -c 'select 1'", "hunter2"),
    ("set -e\nexport PASSWORD=hunter2\npython a.py", "hunter2"),
    ("python a.py --user me --password=hunter2", "hunter2"),
    ("python a.py --password hunter2 --lr 0.1", "hunter2"),
    ("mysql -u root -phunter2 -e 'select 1'", "hunter2"),
    ("sshpass -p hunter2 scp -r ml@host:/data .", "hunter2"),
    ("docker login -u me -p hunter2 registry.example.com", "hunter2"),
    ("redis-cli -h cache -a hunter2 ping", "hunter2"),
    (
        "cat > config <<EOF\nusers:\n- name: ml\n  user:\n    token: sha256~Kx7hunter2hunter2hunter2\nEOF",
        "sha256~Kx7hunter2hunter2hunter2",
    ),
    (
        "cat > key.pem <<EOF\n-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7hunter2hunter2\n-----END RSA PRIVATE KEY-----\nEOF",
        "MIIEpAIBAAKCAQEA7hunter2hunter2",
    ),
    (
        "export WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567\nwandb login",
        "0123456789abcdef0123456789abcdef01234567",
    ),
    (
        "wandb login 0123456789abcdef0123456789abcdef01234567\npython a.py",
        "0123456789abcdef0123456789abcdef01234567",
    ),
    (
        "huggingface-cli login --token hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
        "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
    ),
    ("DB_PASSWORD='hunter2' python etl.py", "hunter2"),
    ("python -c 'import db; db.connect(user=\"ml\", password=\"hunter2\")'", "hunter2"),
    ("echo 'machine api.wandb.ai login user password hunter2' > ~/.netrc", "hunter2"),
    ("echo hunter2 | docker login --username me --password-stdin", "hunter2"),
    ("printf '%s\\n' hunter2 | docker login -u me --password-stdin", "hunter2"),
    ("printf %s 'my long pass' | docker login --password-stdin", "my long pass"),
    ("printf '%s' \"a|b;c&d\" | podman login --password-stdin r.example.com", "a|b;c&d"),
    ("printf 'hunter2' | docker login --password-stdin", "hunter2"),
    ("cd /a; printf -- '%s\\n' hunter2 | sudo docker login --password-stdin; ls", "hunter2"),
    ("echo -n hunter2 | docker login --password-stdin && train", "hunter2"),
    ("echo 'my long pass' |\\\ndocker login --password-stdin", "my long pass"),
    ("echo hunter2 | tr -d x | docker login --password-stdin", "hunter2"),
    ("true && echo \"p,ss\\word\" | docker login --password-stdin", "p,ss\\word"),
    ("echo first | docker login --password-stdin; echo hunter2 | podman login --password-stdin", "hunter2"),
    ("docker login --password-stdin <<< 'my long pass'", "my long pass"),
    ("docker login --password-stdin <<<hunter2; ls", "hunter2"),
    ("docker login --password-stdin <<EOF\nhunter2\nEOF\nls", "hunter2"),
    ("cat <<'EOF' | docker login --password-stdin\nhunter2\nEOF\nls", "hunter2"),
    ("docker login --password-stdin <<EOF\n\nhunter2\nEOF\nls", "hunter2"),
    ("export DB_PASSWORD=%s3x9Q\npython a.py", "%s3x9Q"),
    ("export DB_PASSWORD='.*Xk29fjaQ'\npython a.py", ".*Xk29fjaQ"),
    ("sshpass -p 'my long pass' ssh h", "my long pass"),
    ("sshpass -p'my long pass' ssh h", "my long pass"),
    ("sshpass -p my\\ long\\ pass ssh h", "my\\ long\\ pass"),
    ("docker login -p \"p,ss\\word\" r.example.com", "p,ss\\word"),
    ("docker login -p p,s)s]w r.example.com", "p,s)s]w"),
    ("docker login -p 'a;b|c&d' -u me", "a;b|c&d"),
    ("redis-cli -a \"it's a pass\" ping; ls", "it's a pass"),
    ("ls; sshpass -p first ssh a; sshpass -p 'hunter 2' ssh b", "hunter 2"),
    ("export DB_PASSWORD=Xk29fj[aQ\npython a.py", "Xk29fj[aQ"),
    ("export DB_PASSWORD=Xk29fj(aQ)b\npython a.py", "Xk29fj(aQ)b"),
    ("python a.py --password Xk29fj[aQ", "Xk29fj[aQ"),
    ("python a.py --password=Xk29fj[aQ]b -x", "Xk29fj[aQ]b"),
    ("PGPASSWORD=hunter2 pg_dump db", "hunter2"),
    ("export MLFLOW_TRACKING_PASSWORD=\"hunter2\"; python a.py", "hunter2"),
    ("echo \"token: hunter2hunter2\" > conf.yaml", "hunter2hunter2"),
    ("az storage blob download --account-key abCD12hunter2== -n x", "abCD12hunter2=="),
    (
        "curl 'https://acct.blob.core.windows.net/c/b?sv=2022&sig=abc%2Fhunter2hunter2%3D'",
        "abc%2Fhunter2hunter2%3D",
    ),
];

/// Indents each line by the next of these widths, in turn.
fn indented(script: &str, widths: &[usize]) -> String {
    let lines = script.lines().zip(widths.iter().cycle());
    lines.map(|(line, width)| format!("{}{line}\n", " ".repeat(*width))).collect()
}

const INDENTS: &[&[usize]] = &[
    &[4],
    &[1, 4, 4, 4, 4, 4, 4, 4, 4, 4],
    &[4, 1, 4, 4, 4, 4, 4],
    &[4, 4, 1, 4, 4, 4],
    &[1, 2, 3, 4, 5, 6, 7, 8],
    &[8, 2],
];

/// Returns the script as a string with escapes.
fn quoted(script: &str) -> String {
    format!(
        "\"{}\"",
        script.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t")
    )
}

/// Returns specs that contain the script as a string: in KDL, JSON, and YAML, with and without escapes.
pub(super) fn forms(script: &str) -> Vec<(Format, String)> {
    let text = quoted(script);
    let mut forms = vec![
        (Format::Kdl, format!("shell #\"\"\"\n    {}\n    \"\"\"#", script.replace('\n', "\n    "))),
        (Format::Kdl, format!("job \"j\" {{\n    shell {text}\n    role \"w\"\n}}\n")),
        (Format::Kdl, format!("job \"j\" {{\n    run \"sh\" \"-ec\" {text}\n    role \"w\"\n}}\n")),
        (Format::Json, format!("{{\"job\": {{\"shell\": {text}, \"image\": \"a:1\"}}}}")),
        (Format::Json, format!("{{\"job\": {{\"run\": [\"bash\", \"-c\", {text}]}}}}")),
        (Format::Yaml, format!("job:\n  shell: {text}\n  image: a:1\n")),
    ];
    for widths in INDENTS {
        let text = indented(script, widths);
        forms.push((Format::Kdl, format!("job \"j\" {{\n    shell #\"\"\"\n{text}\"\"\"#\n}}\n")));
        forms.push((Format::Kdl, format!("job \"j\" {{\n    env {{ A #\"\"\"\n{text}\"\"\"#; }}\n}}\n")));
        let below = text.replace('\n', "\n    ");
        forms.push((Format::Yaml, format!("job:\n  shell: |2\n    {}\n", below.trim_end())));
    }
    forms
}

/// A shell separates words only by ASCII spaces, but a text that was copied from a page contains other white space.
#[test]
fn the_search_ends_with_any_white_space() {
    let (begins, begun) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let spaces =
            ["\u{a0}", "\u{3000}", "\u{2028}", "\u{85}", "\u{2003}", "\u{b}", "\u{c}", "\u{feff}", "\r"];
        for script in LEAKS.iter().map(|(script, _)| *script).chain(HARMLESS.iter().copied()) {
            for space in spaces {
                // Also at the end of the text, and next to a space.
                let texts = [
                    script.replace(' ', space),
                    format!("{script}{space}"),
                    script.replace(' ', &format!(" {space}")),
                ];
                for text in texts {
                    begins.send(text.clone()).expect("the test waits");
                    kdl(&quoted(&text));
                }
            }
        }
    });
    let mut last = String::new();
    loop {
        match begun.recv_timeout(std::time::Duration::from_secs(30)) {
            Ok(text) => last = text,
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("no end: {last:?}"),
        }
    }
}

/// The tokens of a broken text may overlap.
#[test]
fn a_broken_text_is_searched() {
    for text in ["é\"\"\"=o", "é\"\"\" = o", "token\"\"\"=é", "é=\"\"\"o"] {
        for format in [Format::Kdl, Format::Json, Format::Yaml, Format::Set] {
            hidden(format, text);
        }
    }
}

#[test]
fn a_harmless_script_is_legible_in_any_indentation() {
    let mut faults = BTreeMap::new();
    for script in HARMLESS {
        for (format, text) in forms(script) {
            let found = hidden(format, &text);
            if !found.is_empty() {
                faults.insert((script, format!("{format:?}"), found), text);
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_credential_in_a_script_is_found_in_any_indentation() {
    let mut faults = BTreeMap::new();
    for (script, secret) in LEAKS {
        for (format, text) in forms(script) {
            let found = hidden(format, &text);
            let escaped = secret.replace('\\', "\\\\");
            if !found.iter().any(|found| found.contains(secret) || found.contains(&escaped)) {
                faults.insert((script, format!("{format:?}"), found), text);
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(!kdl("shell \"PASSWORD=hunter2 a\"").is_empty());
}
