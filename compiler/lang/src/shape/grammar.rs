//! Grammars of strings, by their `format` in the schema.
use crate::spec::user_name;
use crate::spec::values::{
    self, AbsolutePath, Duration, EnvName, Image, Memory, Name, Text, Uri, Version, Wrong,
};

/// Declares the grammars: name in the schema, check, and description.
macro_rules! grammars {
    ($($(#[$meta:meta])* $name:ident $format:literal $check:expr, $words:literal;)*) => {
        /// Grammar of a string.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Grammar { $($(#[$meta])* $name,)* }

        impl Grammar {
            /// All grammars.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name of the grammar, which is the value of `format` in the schema.
            #[must_use]
            pub const fn format(self) -> &'static str {
                match self { $(Self::$name => $format),* }
            }

            /// Returns a description of a string of this grammar, with an example.
            #[must_use]
            pub const fn words(self) -> &'static str {
                match self { $(Self::$name => $words),* }
            }

            /// Validates a string.
            ///
            /// # Errors
            /// Returns why the string violates the grammar.
            pub fn check(self, text: &str) -> Result<(), Wrong> {
                match self { $(Self::$name => $check(text).map(drop)),* }
            }
        }
    };
}

grammars! {
    /// A DNS label.
    Name "name" Name::parse, "a name, such as `trainer-1`";
    /// A size in bytes.
    Memory "memory" Memory::parse, "a size in `KiB`, `MiB`, `GiB`, or `TiB`, such as `\"16GiB\"`";
    /// A duration in seconds.
    Duration "duration" Duration::parse, "a duration in `s`, `m`, `h`, or `d`, such as `\"1h30m\"`";
    /// A duration of at least one second.
    PositiveDuration "positive-duration" Duration::parse_positive, "a duration in `s`, `m`, `h`, or `d`, such as `\"1h30m\"`";
    /// A container image.
    Image "image" Image::parse, "an image reference, such as `\"registry/team/name:tag\"`";
    /// An absolute path.
    Path "path" AbsolutePath::parse, "an absolute path";
    /// An environment variable name.
    EnvName "env-name" EnvName::parse, "an environment variable name";
    /// Any string.
    Text "text" Text::parse, "a string";
    /// A non-empty string.
    Filled "filled-text" values::filled, "a non-empty string";
    /// A tag, branch, or commit.
    GitRef "git-ref" values::git_ref, "a tag, a branch, or a commit";
    /// A port name of the role.
    PortName "port-name" values::port_name, "a port name, such as `\"web\"`";
    /// A port name and an HTTP path.
    PortPath "port-name/path" values::port_name, "a port name and a path, such as `\"web/health\"`";
    /// A URI.
    Uri "uri" Uri::parse, "a URI, such as `\"hdfs://default/data\"`";
    /// A version.
    Version "version" Version::parse, "a version, such as `\"2.15\"`";
    /// A user name.
    UserName "user-name" user_name, "a user name";
    /// A parameter name.
    ParamName "param-name" values::param_name, "a parameter name";
}

impl Grammar {
    /// Returns the grammar with this name in the schema.
    #[must_use]
    pub fn of(format: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|grammar| grammar.format() == format)
    }

    /// Returns the placeholder, such as `MEMORY`, that stands for a string of this grammar when a help shows the form of an
    /// entry.
    #[must_use]
    pub fn slot(self) -> String {
        match self {
            Self::Text | Self::Filled => "STRING".to_owned(),
            grammar => grammar.format().trim_start_matches("positive-").to_uppercase(),
        }
    }
}
