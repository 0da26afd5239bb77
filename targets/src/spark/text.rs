//! Texts that pass through spark-submit unharmed, by the rules that its own classes showed (spark-dcos-observed §2, §3).
use crate::libhdfs::address;
use tfjob_lang::spec::values::{Archive, Scheme, Uri};

/// What keeps a text from being the value of a declared setting.
pub fn value_fault(text: &str) -> Option<&'static str> {
    if text.contains("${") {
        return Some("Spark replaces `${…}` in its settings, and has no escape for it");
    }
    if !text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        return Some("only printable ASCII reaches Spark unchanged from every host");
    }
    None
}

/// What keeps a text from being a word in a YARN container's `export NAME="…"`, or in a list that Spark cuts at commas.
pub fn plain_fault(text: &str) -> Option<&'static str> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-+@:/=".contains(&b);
    (text.is_empty() || !text.bytes().all(plain))
        .then_some("only letters, digits and `._-+@:/=` pass every reader on the way")
}

/// Whether a text is the path of a page as it stands (RFC 3986, path and query).
pub fn is_page(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&b))
}

/// Where Spark fetches an archive from, or why it cannot.
pub fn fetched(uri: &Uri) -> Result<String, String> {
    let word = uri.scheme().word();
    let text = match uri.scheme() {
        Scheme::Hdfs => address(uri),
        Scheme::Viewfs | Scheme::S3a | Scheme::Gs | Scheme::Abfs | Scheme::Http | Scheme::Https => {
            uri.to_string()
        }
        Scheme::File | Scheme::Beside => uri.path().to_owned(),
        Scheme::S3 => return Err("has no file system for `s3:` since Hadoop 3; write `s3a:`".to_owned()),
        Scheme::GitHttps | Scheme::Nfs | Scheme::Pvc => {
            return Err(format!("fetches nothing from `{word}:`"));
        }
    };
    let query = matches!(uri.scheme(), Scheme::Http | Scheme::Https);
    let fine = |b: u8| b.is_ascii_alphanumeric() || b"._+=@~-/:".contains(&b) || query && b"?&%".contains(&b);
    let path = text.split_once("://").map_or(text.as_str(), |(_, rest)| rest);
    let colon = path.split_once('/').is_some_and(|(_, path)| path.contains(':'));
    match path.bytes().find(|b| !fine(*b)) {
        Some(b) => Err(format!("cuts or misreads an address with `{}` in it", char::from(b).escape_debug())),
        None if colon && !query => Err("misreads an address with `:` in its path".to_owned()),
        None => Ok(text),
    }
}

/// Whether Spark unpacks archives of that form (`Utils.unpack`, and YARN's `FSDownload`).
pub const fn unpacks(form: Archive) -> bool {
    match form {
        Archive::Zip | Archive::Tar | Archive::TarGz => true,
        Archive::TarBz2 | Archive::TarXz => false,
    }
}
