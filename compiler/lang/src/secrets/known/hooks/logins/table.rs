//! Where programs accept a credential in their arguments or in their standard input.
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Where a command contains a credential.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// After a flag: the next argument, or the rest of the argument.
    Flag(&'static str),
    /// Directly after a flag, in the same argument.
    Attached(&'static str),
    /// In the argument after a flag.
    Next(&'static str),
    /// After the first separator in the value of a flag, as in `-u NAME:PASSWORD`.
    Pair(&'static str, char),
    /// The rest of each argument that begins with this prefix, such as `pass:`.
    Prefixed(&'static str),
    /// The argument with this index after the subcommand, flags excluded.
    Argument(usize),
    /// The last of the arguments that look like a generated key.
    Last,
    /// The argument after a name that suggests a credential.
    Named,
    /// VALUE of `s/NAME/VALUE/`, if NAME suggests a credential.
    Replacement,
    /// In the standard input: a here-document, a here-string, or the output of `echo`, `printf`, or `cat`.
    Input,
    /// In the standard input, if the last argument is a name that suggests a credential.
    NamedInput,
}

/// Programs, a subcommand that must precede the credential, and the place of the credential.
pub(super) type Row = (&'static str, &'static str, Place);

use Place::{Argument, Attached, Flag, Input, Last, Named, NamedInput, Next, Pair, Prefixed, Replacement};

/// The arguments and standard inputs that contain a credential, from the manuals of the programs.
const ROWS: &[Row] = &[
    ("docker podman nerdctl skopeo buildah oras crane", "login", Flag("-p")),
    ("helm", "registry login", Flag("-p")),
    ("oc cf ibmcloud anaconda", "login", Flag("-p")),
    ("az", "login", Next("-p")),
    ("az", "acr login", Next("-p")),
    ("twine", "upload", Flag("-p")),
    ("airflow", "users create", Next("-p")),
    ("useradd usermod", "", Next("-p")),
    ("sshpass", "", Flag("-p")),
    ("mongo mongosh mongodump mongorestore mongoimport mongoexport cqlsh beeline", "", Flag("-p")),
    ("mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mariadb mariadb-dump", "", Attached("-p")),
    ("7z 7za 7zr rar unrar", "", Attached("-p")),
    ("rar unrar", "", Attached("-hp")),
    ("sqlcmd bcp zip unzip mosquitto_pub mosquitto_sub ipmitool ssh-keygen", "", Flag("-P")),
    ("ssh-keygen", "", Flag("-N")),
    ("redis-cli valkey-cli", "", Flag("-a")),
    ("redis-cli valkey-cli", "AUTH", Argument(0)),
    ("redis-cli valkey-cli", "CONFIG SET requirepass", Argument(0)),
    ("ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd", "", Next("-w")),
    ("openssl", "", Next("-k")),
    ("openssl", "", Next("-K")),
    ("openssl", "", Prefixed("pass:")),
    ("hadoop", "credential create", Next("-value")),
    ("openai", "api", Flag("-k")),
    ("prefect", "cloud login", Flag("-k")),
    ("doctl", "auth init", Flag("-t")),
    ("kaggle", "config set key", Flag("-v")),
    ("curl wget", "", Pair("-u", ':')),
    ("curl wget", "", Pair("--user", ':')),
    ("curl", "", Pair("-U", ':')),
    ("curl", "", Pair("--proxy-user", ':')),
    ("curl", "", Next("--oauth2-bearer")),
    ("http xh", "", Pair("-a", ':')),
    ("etcdctl", "", Pair("--user", ':')),
    ("lftp", "", Pair("-u", ',')),
    ("smbclient smbget rpcclient", "", Pair("-U", '%')),
    ("kubectl oc", "create secret", Pair("--from-literal", '=')),
    ("mc", "alias set", Argument(3)),
    ("mc", "config host add", Argument(3)),
    ("rabbitmqctl", "add_user", Argument(1)),
    ("rabbitmqctl", "change_password", Argument(1)),
    ("ansible-vault", "encrypt_string", Argument(0)),
    ("htpasswd", "-b", Argument(2)),
    ("htpasswd", "-bc", Argument(2)),
    ("htpasswd", "-nb", Argument(1)),
    ("wandb vault", "login", Last),
    ("aws", "configure set", Named),
    ("rclone", "config create", Named),
    ("rclone", "config update", Named),
    ("dvc", "remote modify", Named),
    ("npm pnpm pip conda gcloud gh", "config set", Named),
    ("poetry git", "config", Named),
    ("jq", "", Named),
    ("sed", "", Replacement),
    ("kinit chpasswd cryptsetup", "", Input),
    ("sudo", "-S", Input),
    ("passwd", "--stdin", Input),
    ("smbpasswd", "-s", Input),
    ("htpasswd", "-i", Input),
    ("gpg", "--passphrase-fd", Input),
    ("gh", "auth login --with-token", Input),
    ("wandb vault huggingface-cli", "login", Input),
    ("hf", "auth login", Input),
    ("databricks", "configure --token", Input),
    ("docker podman", "secret create", Input),
    ("read", "", NamedInput),
];

/// For each hash of [`hash`], whether a program of [`ROWS`] has it. With this table, the search skips most words of a text.
static HASHES: [bool; 1024] = {
    let mut hashes = [false; 1024];
    let mut row = 0;
    while row < ROWS.len() {
        let names = ROWS[row].0.as_bytes();
        let (mut start, mut at) = (0, 0);
        while at <= names.len() {
            if at == names.len() || names[at] == b' ' {
                hashes[hash(names[start], names[start + 1], at - start)] = true;
                start = at + 1;
            }
            at += 1;
        }
        row += 1;
    }
    hashes
};

/// Returns a number that depends on the first two letters and the length of a name.
const fn hash(first: u8, second: u8, length: usize) -> usize {
    (first as usize * 7 + second as usize * 31 + length * 97) % 1024
}

/// The rows of each program.
static BY_PROGRAM: LazyLock<BTreeMap<&str, Vec<&Row>>> = LazyLock::new(|| {
    let mut programs: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in ROWS {
        row.0.split(' ').for_each(|name| programs.entry(name).or_default().push(row));
    }
    programs
});

/// Returns the rows of [`ROWS`] about a program. Empty for most words.
pub(super) fn rows(program: &str) -> &'static [&'static Row] {
    match program.as_bytes() {
        [first, second, ..] if HASHES[hash(*first, *second, program.len())] => {
            BY_PROGRAM.get(program).map_or(&[], Vec::as_slice)
        }
        _ => &[],
    }
}
