//! URI schemes, and the kind of storage of each.

/// Declares the schemes. Each has a description, a name, and an example.
macro_rules! schemes {
    ($(#[doc = $about:literal] $name:ident $word:literal $example:literal;)*) => {
        /// A URI scheme.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Scheme { $(#[doc = $about] $name,)* }

        impl Scheme {
            /// All schemes.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name before the colon. For a path relative to the spec, returns `.`.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word),* }
            }

            /// Returns the description of the scheme.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $about.trim_ascii()),* }
            }

            /// Returns an example URI.
            #[must_use]
            pub const fn example(self) -> &'static str {
                match self { $(Self::$name => $example),* }
            }
        }
    };
}

schemes! {
    /// HDFS. The host is a NameNode or name service; `default` or no host is the default HDFS of the cluster.
    Hdfs "hdfs" "hdfs://default/data/train";
    /// ViewFs, the Hadoop mount table.
    Viewfs "viewfs" "viewfs://site/data/train";
    /// S3 bucket.
    S3 "s3" "s3://bucket/train";
    /// S3 bucket, through the Hadoop client.
    S3a "s3a" "s3a://bucket/train";
    /// Google Cloud Storage bucket.
    Gs "gs" "gs://bucket/train";
    /// Azure storage, through the Hadoop client. The host is `container@account.dfs.core.windows.net`.
    Abfs "abfs" "abfs://container@account.dfs.core.windows.net/train";
    /// Web server, unencrypted.
    Http "http" "http://host/code.zip";
    /// Web server.
    Https "https" "https://host/code.zip";
    /// Git repository over HTTPS.
    GitHttps "git+https" "git+https://host/team/repository";
    /// NFS export. The path is the export.
    Nfs "nfs" "nfs://host/export";
    /// Volume claim of the platform. The host is the name of the claim; the path is a directory in the volume.
    Pvc "pvc" "pvc://claim/train";
    /// Path on every node.
    File "file" "file:///mnt/train";
    /// Path relative to the directory of the spec.
    Beside "." "./train";
}

/// Kind of storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Disk of a node.
    Node,
    /// Directory of the spec.
    Spec,
    /// Volume that the platform mounts: an NFS export or a volume claim.
    Volume,
    /// Hadoop file system, which TensorFlow opens through libhdfs.
    Hadoop,
    /// Object store, which requires credentials from each client.
    Bucket,
    /// Web server, with or without encryption.
    Web,
    /// Git repository.
    Repository,
}

impl Class {
    /// Returns whether the storage is a directory on the machine of the process that reads it.
    #[must_use]
    pub const fn is_path(self) -> bool {
        match self {
            Self::Node | Self::Spec => true,
            Self::Volume | Self::Hadoop | Self::Bucket | Self::Web | Self::Repository => false,
        }
    }

    /// Returns whether programs access the files only by path, because they are on a disk or in a mounted volume.
    #[must_use]
    pub const fn is_disk(self) -> bool {
        match self {
            Self::Node | Self::Spec | Self::Volume => true,
            Self::Hadoop | Self::Bucket | Self::Web | Self::Repository => false,
        }
    }

    /// Returns whether programs can read the files by URI, not only by a path.
    #[must_use]
    pub const fn is_opened(self) -> bool {
        match self {
            Self::Hadoop | Self::Bucket | Self::Web => true,
            Self::Node | Self::Spec | Self::Volume | Self::Repository => false,
        }
    }

    /// Returns whether the storage is a network file system: programs list, read, and write directories by URI.
    #[must_use]
    pub const fn is_file_system(self) -> bool {
        match self {
            Self::Hadoop | Self::Bucket => true,
            Self::Node | Self::Spec | Self::Volume | Self::Web | Self::Repository => false,
        }
    }

    /// Returns whether the storage is on a web server, including Git repositories: read-only, and downloaded without
    /// credentials.
    #[must_use]
    pub const fn is_served(self) -> bool {
        match self {
            Self::Web | Self::Repository => true,
            Self::Node | Self::Spec | Self::Volume | Self::Hadoop | Self::Bucket => false,
        }
    }
}

impl Scheme {
    /// Returns the kind of storage.
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

    /// Returns the scheme of a URI.
    #[must_use]
    pub fn of_address(text: &str) -> Option<Self> {
        let (word, _) = text.split_once("://")?;
        Self::ALL.iter().copied().find(|scheme| *scheme != Self::Beside && scheme.word() == word)
    }

    /// Returns whether the Hadoop 3 client has a file system for this scheme. Hadoop 3 removed `s3:`.
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

    /// Returns whether the Hadoop client can read URIs of this scheme: with a file system, or as a path on the node.
    #[must_use]
    pub const fn is_read_by_hadoop(self) -> bool {
        self.has_hadoop_client() || matches!(self, Self::File)
    }

    /// Returns an example URI for a program that does or does not read HDFS: `hdfs://default/logs` is `gs://bucket/logs` without HDFS.
    /// `None` if the URI fits already, or is neither.
    #[must_use]
    pub fn adapted(example: &str, has_hdfs: bool) -> Option<String> {
        const HDFS: &str = "hdfs://default/";
        const BUCKET: &str = "gs://bucket/";
        let (from, to) = if has_hdfs { (BUCKET, HDFS) } else { (HDFS, BUCKET) };
        Some(format!("{to}{}", example.strip_prefix(from)?))
    }

    /// Returns a noun phrase for the storage: "`nfs:` storage", "files in the directory of the spec".
    #[must_use]
    pub fn storage(self) -> String {
        if self == Self::Beside {
            return "files in the directory of the spec".to_owned();
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
