//! The schemes of uris, and what kind of storage each names.

/// Declares the schemes with their words, in one table.
macro_rules! schemes {
    ($(#[doc = $about:literal] $name:ident $word:literal $example:literal;)*) => {
        /// How files are reached.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Scheme { $(#[doc = $about] $name,)* }

        impl Scheme {
            /// Every scheme.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The word before the colon; `.` for a path beside the spec.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word),* }
            }

            /// What it is, in a sentence.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $about.trim_ascii()),* }
            }

            /// How such a uri looks.
            #[must_use]
            pub const fn example(self) -> &'static str {
                match self { $(Self::$name => $example),* }
            }
        }
    };
}

schemes! {
    /// The Hadoop file system. The host is a name node or name service; `default`, or none, is the site's own.
    Hdfs "hdfs" "hdfs://default/data/train";
    /// Hadoop's mount table.
    Viewfs "viewfs" "viewfs://site/data/train";
    /// An S3 bucket.
    S3 "s3" "s3://bucket/train";
    /// An S3 bucket, by Hadoop's client.
    S3a "s3a" "s3a://bucket/train";
    /// A Google Cloud Storage bucket.
    Gs "gs" "gs://bucket/train";
    /// Azure's storage, by Hadoop's client: the host is `container@account.dfs.core.windows.net`.
    Abfs "abfs" "abfs://container@account.dfs.core.windows.net/train";
    /// A web server, in the clear.
    Http "http" "http://host/code.zip";
    /// A web server.
    Https "https" "https://host/code.zip";
    /// A git repository, by https.
    GitHttps "git+https" "git+https://host/team/repository";
    /// An NFS export: the path is the export.
    Nfs "nfs" "nfs://host/export";
    /// A volume claim of the platform: the host is the claim, the path a folder in it.
    Pvc "pvc" "pvc://claim/train";
    /// That path on every node.
    File "file" "file:///mnt/train";
    /// A path relative to the directory of the spec.
    Beside "." "./train";
}

/// What kind of storage a scheme names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The disk of a node.
    Node,
    /// The directory of the spec.
    Spec,
    /// What the platform mounts: an NFS export, a volume claim.
    Volume,
    /// A file system of Hadoop, which TensorFlow opens through libhdfs.
    Hadoop,
    /// An object store, which asks each client for its credentials.
    Bucket,
    /// A web server.
    Web,
    /// A git repository.
    Repository,
}

impl Class {
    /// Whether it is a path of the machine that reads it.
    #[must_use]
    pub const fn is_path(self) -> bool {
        match self {
            Self::Node | Self::Spec => true,
            Self::Volume | Self::Hadoop | Self::Bucket | Self::Web | Self::Repository => false,
        }
    }

    /// Whether a program sees its files only as paths: on a disk or in a mounted volume.
    #[must_use]
    pub const fn is_disk(self) -> bool {
        match self {
            Self::Node | Self::Spec | Self::Volume => true,
            Self::Hadoop | Self::Bucket | Self::Web | Self::Repository => false,
        }
    }

    /// Whether programs open such a uri themselves.
    #[must_use]
    pub const fn is_opened(self) -> bool {
        match self {
            Self::Hadoop | Self::Bucket | Self::Web => true,
            Self::Node | Self::Spec | Self::Volume | Self::Repository => false,
        }
    }

    /// Whether it is a file system of a network: a program lists, reads and writes its directories by their uris.
    #[must_use]
    pub const fn is_file_system(self) -> bool {
        match self {
            Self::Hadoop | Self::Bucket => true,
            Self::Node | Self::Spec | Self::Volume | Self::Web | Self::Repository => false,
        }
    }

    /// Whether a web server answers for it: its address may have a query, it is fetched without a secret, and nothing is
    /// written to it.
    #[must_use]
    pub const fn is_served(self) -> bool {
        match self {
            Self::Web | Self::Repository => true,
            Self::Node | Self::Spec | Self::Volume | Self::Hadoop | Self::Bucket => false,
        }
    }
}

impl Scheme {
    /// What kind of storage it names.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::File => Class::Node,
            Self::Beside => Class::Spec,
            Self::Nfs | Self::Pvc => Class::Volume,
            Self::Hdfs | Self::Viewfs => Class::Hadoop,
            Self::S3 | Self::S3a | Self::Gs | Self::Abfs => Class::Bucket,
            Self::Http | Self::Https => Class::Web,
            Self::GitHttps => Class::Repository,
        }
    }

    /// The scheme that an address begins with.
    #[must_use]
    pub fn of_address(text: &str) -> Option<Self> {
        let (word, _) = text.split_once("://")?;
        Self::ALL.iter().copied().find(|scheme| *scheme != Self::Beside && scheme.word() == word)
    }

    /// Whether Hadoop's client has a file system for it, since Hadoop 3: `s3:` is one no longer.
    #[must_use]
    pub const fn has_hadoop_client(self) -> bool {
        match self {
            Self::Hdfs | Self::Viewfs | Self::S3a | Self::Gs | Self::Abfs => true,
            Self::S3
            | Self::Http
            | Self::Https
            | Self::GitHttps
            | Self::Nfs
            | Self::Pvc
            | Self::File
            | Self::Beside => false,
        }
    }

    /// Whether Hadoop's client reads it: by a file system of its own, or as a path of the node.
    #[must_use]
    pub const fn is_read_by_hadoop(self) -> bool {
        self.has_hadoop_client() || matches!(self, Self::File)
    }

    /// What it is in a sentence: "`nfs:` storage", "files beside the spec".
    #[must_use]
    pub fn storage(self) -> String {
        if self == Self::Beside {
            return "files beside the spec".to_owned();
        }
        format!("`{}:` storage", self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_program_opens_is_no_path_to_it() {
        for scheme in Scheme::ALL {
            let class = scheme.class();
            assert!(!(class.is_disk() && class.is_opened()), "{}", scheme.word());
            assert!(!class.is_path() || class.is_disk(), "{}", scheme.word());
            assert!(!class.is_file_system() || class.is_opened(), "{}", scheme.word());
            assert!(!scheme.has_hadoop_client() || class.is_file_system(), "{}", scheme.word());
            let known = Some(*scheme).filter(|scheme| *scheme != Scheme::Beside);
            assert_eq!(Scheme::of_address(scheme.example()), known, "{}", scheme.word());
        }
    }
}
