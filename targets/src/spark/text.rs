//! Checks that texts pass through spark-submit unchanged (spark#setting-values, spark#file-addresses).
use crate::libhdfs::address;
use tfjob_lang::escape::Escaped;
use tfjob_lang::spec::values::{Archive, Class, Uri};

/// Returns why a text cannot be the value of a Spark setting, or `None` if it can.
pub fn value_fault(text: &str) -> Option<&'static str> {
    if text.contains("${") {
        return Some("`${…}` is not supported, because Spark would replace this reference in the setting");
    }
    if !text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        return Some("only printable ASCII characters reach Spark unchanged from every host");
    }
    None
}

/// Returns why a text would be changed in `export NAME="…"` of a YARN container, or in a list that Spark splits at commas. `None`
/// if the text would be changed in neither.
pub fn plain_fault(text: &str) -> Option<&'static str> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-+@:/=".contains(&b);
    (text.is_empty() || !text.bytes().all(plain))
        .then_some("only letters, digits, and `._-+@:/=` pass unchanged through Spark and YARN")
}

/// Returns why spark-submit cannot upload a file at a path of the submitting host, or `None` if it can.
pub fn path_fault(path: &str) -> Option<String> {
    let culprit = path.chars().find(|c| plain_fault(c.encode_utf8(&mut [0; 4])).is_some());
    let shown = culprit.map(|c| match c {
        ' ' => "a space".to_owned(),
        c if c.is_control() => "a control character".to_owned(),
        c if c.is_ascii_graphic() => format!("`{c}`"),
        c => format!("`{}`", c.escaped()),
    });
    let contained = shown.map(|shown| {
        format!("it contains {shown}, but only letters, digits, and `._-+@/=` pass unchanged through Spark and YARN in a path")
    });
    contained.or_else(|| {
        path.contains(':').then(|| "Spark reads the text before `:` as the scheme of a URI".to_owned())
    })
}

/// Returns the first character in a path that makes `submit.sh` refuse to run from the directory at this path, because spark-submit
/// would misread its arguments. `None` if there is no such character. The template of the script has the same characters.
pub fn refused_in_directory(path: &str) -> Option<char> {
    path.chars().find(|c| !c.is_ascii_alphanumeric() && !"._+=@~%/ -".contains(*c))
}

/// Returns whether a text is a valid path of a URL, with an optional query (RFC 3986).
pub fn is_page(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&b))
}

/// Returns the address from which Spark fetches a file.
///
/// # Errors
/// Returns a sentence that says why Spark cannot fetch the file.
pub fn fetched(uri: &Uri) -> Result<String, String> {
    let scheme = uri.scheme().word();
    let text = match uri.scheme().class() {
        Class::Hadoop | Class::Bucket if uri.scheme().has_hadoop_client() => address(uri),
        Class::Hadoop | Class::Bucket => {
            return Err(format!("Hadoop 3 and later have no file system for `{scheme}:`; write `s3a:`"));
        }
        Class::Web => uri.to_string(),
        Class::Node | Class::Spec => uri.path().to_owned(),
        Class::Repository | Class::Volume => {
            return Err(format!("Spark cannot fetch files from `{scheme}:`"));
        }
    };
    let query = uri.scheme().class() == Class::Web;
    let fine = |b: u8| b.is_ascii_alphanumeric() || b"._+=@~-/:".contains(&b) || query && b"?&%".contains(&b);
    let path = text.split_once("://").map_or(text.as_str(), |(_, rest)| rest);
    let colon = path.split_once('/').is_some_and(|(_, path)| path.contains(':'));
    // In a web address, only the last path segment becomes a Hadoop path. A Hadoop path cannot contain `:`.
    let named = path
        .split('?')
        .next()
        .and_then(|path| path.rsplit_once('/'))
        .is_some_and(|(_, name)| name.contains(':'));
    let misread = if query { named } else { colon };
    let wrong = |c: &char| !u8::try_from(*c).is_ok_and(|b| b.is_ascii() && fine(b));
    match path.chars().find(wrong) {
        Some('#') => Err("Spark reads the text after `#` as an alias of the file".to_owned()),
        Some(c) => Err(format!("Spark splits or misreads an address that contains `{}`", c.escaped())),
        None if misread => Err("Spark misreads an address with `:` in its path".to_owned()),
        None => web_fault(&text).filter(|_| query).map_or(Ok(text), Err),
    }
}

/// Returns why spark-submit cannot upload files for the driver's pod to a URI, or `None` if it can
/// (`KubernetesUtils.uploadFileUri`).
pub fn upload_fault(uri: &Uri) -> Option<String> {
    match uri.scheme().class() {
        Class::Web => Some(
            "Spark cannot upload to a web server: Hadoop's `AbstractHttpFileSystem` is read-only".to_owned(),
        ),
        Class::Spec => Some(
            "a relative path means one directory on the submitting host and another one in the pod of the driver"
                .to_owned(),
        ),
        Class::Hadoop | Class::Bucket | Class::Node | Class::Repository | Class::Volume => fetched(uri).err(),
    }
}

/// Returns why Spark cannot fetch a web address, or `None` if it can. Spark decodes the address before it splits lists at commas.
/// The last segment of the path becomes the file name in each executor (`Utils.decodeFileNameInURI`).
fn web_fault(address: &str) -> Option<String> {
    if let Some(fault) = crate::names::java_fault(address) {
        return Some(format!("the address is not a valid Java URI: {fault}"));
    }
    if crate::names::decoded(address).is_some_and(|all| all.contains(&b',')) {
        return Some("Spark decodes `%2C` and then splits its list of files at the comma".to_owned());
    }
    let name = sent_name(address);
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+=@~-:& ()".contains(c);
    name.chars()
        .find(|c| !plain(*c))
        .map(|c| format!("the file name would be `{name}`, and Spark misreads `{}` in a name", c.escaped()))
}

/// Returns the name that a sent file has in executors: the last segment of its path. For a web address, the segment is decoded,
/// and the query is removed.
pub fn sent_name(from: &str) -> String {
    if !from.starts_with("http://") && !from.starts_with("https://") {
        return from.rsplit('/').next().unwrap_or(from).to_owned();
    }
    let path = from.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    crate::names::decoded(name)
        .map_or_else(|| name.to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns whether Spark unpacks archives of this format on every cluster manager (`Utils.unpack`; on YARN, `FSDownload`).
pub const fn unpacks(form: Archive) -> bool {
    match form {
        Archive::Zip | Archive::Tar | Archive::TarGz => true,
        Archive::TarBz2 | Archive::TarXz => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{fetched, path_fault, sent_name};
    use tfjob_lang::spec::values::Uri;

    /// The expected names were observed: an executor of Spark 3.5.9 listed its files after `spark-submit --files ADDRESS`.
    #[test]
    fn files_of_web_servers_have_the_names_that_spark_gives_them() {
        for (address, name) in [
            ("https://h/v.txt", "v.txt"),
            ("https://h/a/v.txt?token=a/b#x", "v.txt"),
            ("https://h/my%20v%2B1.txt", "my v+1.txt"),
            ("hdfs://default/a/v.txt", "v.txt"),
            ("./a/v.txt", "v.txt"),
        ] {
            assert_eq!(sent_name(address), name);
        }
    }

    #[test]
    fn the_character_that_a_path_must_not_have_is_visible() {
        for (path, shown) in
            [("/a,b", "contains `,`"), ("/a b", "a space"), ("/a\u{200b}b", "`\\u{200b}`"), ("/é", "`é`")]
        {
            let fault = path_fault(path).expect("refused");
            assert!(fault.contains(shown), "{fault}");
            // Each character that the sentence allows is accepted.
            let (_, allowed) = fault.split_once("digits, and `").expect("the allowed characters");
            let allowed = allowed.split('`').next().unwrap_or_default();
            assert_eq!(path_fault(&format!("/{allowed}")), None);
        }
        assert!(path_fault("/a:b").is_some_and(|fault| fault.contains("scheme of a URI")));
    }

    #[test]
    fn an_address_that_spark_misreads_is_refused() {
        let refused = |text: &str| fetched(&Uri::parse(text).expect("a uri")).is_err();
        for good in [
            "https://h/a.zip?sig=a%2Fb%3D",
            "https://h/%7Eme/my%20v.txt",
            "https://h:8080/v:1/a.zip?a=b:c&c=d",
        ] {
            assert!(!refused(good), "{good}");
        }
        for bad in [
            "https://h/a%2Cb.txt",
            "https://h/a.zip?s=a%2cb",
            "https://h/a%23b.txt",
            "https://h/a%2Fb.txt",
            "https://h/a%60id%60.txt",
            "https://h/a%24x.txt",
            "https://h/a%22.txt",
            "https://h/100%.txt",
            "https://h/a.zip?sig=100%",
            "https://h/a.zip?x={y}",
            "https://h/a:b.zip",
        ] {
            assert!(refused(bad), "{bad}");
        }
        let why = fetched(&Uri::parse("https://h/é.txt").expect("a uri")).expect_err("refused");
        assert!(why.contains("`é`"), "{why}");
    }
}
