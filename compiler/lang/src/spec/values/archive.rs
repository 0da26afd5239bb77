//! Archives. One table of name suffixes applies to every target.
use super::{Class, Uri};

/// Archive format, recognized by the suffix of a name; `.ZIP` counts as `.zip`. A name with any other suffix is that of a plain
/// file or a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Archive {
    /// `.zip`.
    Zip,
    /// `.tar`.
    Tar,
    /// `.tar.gz`, `.tgz`.
    TarGz,
    /// `.tar.bz2`, `.tbz2`.
    TarBz2,
    /// `.tar.xz`, `.txz`.
    TarXz,
}

impl Archive {
    /// Suffixes of archives. The table does not contain `.jar`, `.whl`, and `.egg`, because programs read such files without
    /// unpacking them.
    pub const SUFFIXES: [(&'static str, Self); 8] = [
        (".zip", Self::Zip),
        (".tar", Self::Tar),
        (".tar.gz", Self::TarGz),
        (".tgz", Self::TarGz),
        (".tar.bz2", Self::TarBz2),
        (".tbz2", Self::TarBz2),
        (".tar.xz", Self::TarXz),
        (".txz", Self::TarXz),
    ];

    /// Suffixes of compressed files that no target unpacks. Longer suffixes come first.
    const UNREAD: [&'static str; 20] = [
        ".tar.zst",
        ".tar.lz4",
        ".tar.lzma",
        ".tar.lzo",
        ".tar.lz",
        ".tar.z",
        ".tzst",
        ".tlz",
        ".taz",
        ".tbz",
        ".tb2",
        ".tz2",
        ".7z",
        ".rar",
        ".gz",
        ".bz2",
        ".xz",
        ".zst",
        ".lz4",
        ".lzma",
    ];

    /// Returns the suffix of the URI, if the URI is a compressed file that no target unpacks.
    #[must_use]
    pub fn unread(uri: &Uri) -> Option<&'static str> {
        let archive = uri.scheme().class() == Class::Repository || Self::of(uri).is_some();
        Self::unread_suffix(uri.name()).filter(|_| !archive)
    }

    fn unread_suffix(name: &str) -> Option<&'static str> {
        let lower = name.to_ascii_lowercase();
        Self::UNREAD.into_iter().find(|suffix| lower.len() > suffix.len() && lower.ends_with(suffix))
    }

    /// Returns the archive format of a file name or path, according to its suffix; `None` if the suffix is not that of an archive.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::split(name).map(|(_, form)| form)
    }

    /// Returns the archive format of the file at a URI. The query of a web URI is not part of the name, and a git repository is
    /// never an archive.
    #[must_use]
    pub fn of(uri: &Uri) -> Option<Self> {
        if uri.scheme().class() == Class::Repository { None } else { Self::of_name(uri.name()) }
    }

    /// Returns the canonical suffix of the format.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Zip => ".zip",
            Self::Tar => ".tar",
            Self::TarGz => ".tar.gz",
            Self::TarBz2 => ".tar.bz2",
            Self::TarXz => ".tar.xz",
        }
    }

    /// Returns the URI with the suffix of another archive format, for a help text.
    #[must_use]
    pub fn repacked(uri: &Uri, form: Self) -> String {
        let (text, name) = (uri.to_string(), uri.name());
        // The name may also occur in the query, so the query is removed first.
        let query = uri.path().find(['?', '#']).filter(|_| uri.scheme().class() == Class::Web);
        let text = query.map_or(text.as_str(), |at| &text[..text.len() - (uri.path().len() - at)]);
        if name.is_empty() {
            return format!("{}{}", text.trim_end_matches('/'), form.suffix());
        }
        let unread = || Self::unread_suffix(name).map(|suffix| &name[..name.len() - suffix.len()]);
        let stem = Self::split(name).map(|(stem, _)| stem).or_else(unread).unwrap_or(name);
        let before = text.rfind(name).map_or("", |at| &text[..at]);
        format!("{before}{stem}{}", form.suffix())
    }

    /// Splits a file name into the name without suffix and the archive format. A name that is only a suffix, such as
    /// `.tar`, is a hidden file.
    fn split(name: &str) -> Option<(&str, Self)> {
        let base = name.rsplit('/').next().unwrap_or_default();
        let lower = base.to_ascii_lowercase();
        let (suffix, form) = Self::SUFFIXES
            .into_iter()
            .filter(|(suffix, _)| lower.len() > suffix.len())
            .find(|(suffix, _)| lower.ends_with(suffix))?;
        Some((&name[..name.len() - suffix.len()], form))
    }
}

#[cfg(test)]
mod tests {
    use super::Archive;
    use crate::spec::values::Uri;

    fn uri(text: &str) -> Uri {
        Uri::parse(text).expect("a uri")
    }

    #[test]
    fn the_lower_cased_suffix_decides() {
        for (name, form) in [
            ("a.zip", Archive::Zip),
            ("V.ZIP", Archive::Zip),
            ("/x/a.tar", Archive::Tar),
            ("a.Tar.Gz", Archive::TarGz),
            ("a.TGZ", Archive::TarGz),
            ("a.tar.bz2", Archive::TarBz2),
            ("a.tbz2", Archive::TarBz2),
            ("a.tar.xz", Archive::TarXz),
            ("a.TXZ", Archive::TarXz),
        ] {
            assert_eq!(Archive::of_name(name), Some(form), "{name}");
            assert_eq!(Archive::of_name(&format!("b{}", form.suffix())), Some(form));
        }
        for name in [
            "a.jar",
            "a.whl",
            "a.egg",
            "a.gz",
            "a.bz2",
            "a.tbz",
            "a.tar.zst",
            "a.7z",
            "zip",
            ".zip",
            "d/.tar.gz",
            "a.zip/",
        ] {
            assert_eq!(Archive::of_name(name), None, "{name}");
        }
    }

    #[test]
    fn a_web_query_is_not_the_name_and_a_repository_is_no_archive() {
        assert_eq!(Archive::of(&uri("https://h/a.zip?v=1#x")), Some(Archive::Zip));
        assert_eq!(Archive::of(&uri("https://h/get?file=a.zip")), None);
        assert_eq!(Archive::of(&uri("git+https://h/t/a.zip")), None);
        assert_eq!(Archive::of(&uri("hdfs://n/a.zip?v=1")), None);
        assert_eq!(Archive::of(&uri("./a.tar.xz")), Some(Archive::TarXz));
        assert_eq!(Archive::of(&uri("s3a://b/x/A.TAR.BZ2")), Some(Archive::TarBz2));
        assert_eq!(Archive::of(&uri("s3a://bucket.zip")), None);
    }

    #[test]
    fn a_repacked_uri_is_a_uri() {
        let of = |text| Archive::repacked(&uri(text), Archive::TarGz);
        assert_eq!(of("hdfs://default/a/V.tar.xz"), "hdfs://default/a/V.tar.gz");
        assert_eq!(of("https://h/a.TAR.BZ2?x=1"), "https://h/a.tar.gz");
        assert_eq!(of("https://h/a.tar.xz?sig=a.tar.xz#a.tar.xz"), "https://h/a.tar.gz");
        assert_eq!(of("https://h/x/?f=x"), "https://h/x.tar.gz");
        assert_eq!(of("./a.txt"), "./a.txt.tar.gz");
        assert_eq!(of("hdfs:///models/m/"), "hdfs:///models/m.tar.gz");
        assert_eq!(of("https://h/a.tar.ZST?x=1"), "https://h/a.tar.gz");
    }

    #[test]
    fn packed_files_that_no_target_unpacks_are_known() {
        let of = |text| Archive::unread(&uri(text));
        assert_eq!(of("https://h/a.tar.ZST?x=1"), Some(".tar.zst"));
        assert_eq!(of("s3a://b/a.7z"), Some(".7z"));
        assert_eq!(of("./train.py.gz"), Some(".gz"));
        for read in
            ["https://h/a.tar.gz", "./a.txz", "./a.py", "git+https://h/a.7z", "hdfs:///.gz", "./a.jar"]
        {
            assert_eq!(of(read), None, "{read}");
        }
    }
}
