//! The grammars of text, by the name that the schema has for them.
use crate::spec::user_name;
use crate::spec::values::{
    self, AbsolutePath, Duration, EnvName, Image, Memory, Name, Text, Uri, Version, Wrong,
};

/// Declares the grammars: name in the schema, check, and words for people.
macro_rules! grammars {
    ($($(#[$meta:meta])* $name:ident $format:literal $check:expr, $words:literal;)*) => {
        /// What a text must look like.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Grammar { $($(#[$meta])* $name,)* }

        impl Grammar {
            /// Every grammar.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Its name in the schema, under `format`.
            #[must_use]
            pub const fn format(self) -> &'static str {
                match self { $(Self::$name => $format),* }
            }

            /// What such a text is, with an example.
            #[must_use]
            pub const fn words(self) -> &'static str {
                match self { $(Self::$name => $words),* }
            }

            /// Checks a text.
            ///
            /// # Errors
            /// Where the grammar does not hold.
            pub fn check(self, text: &str) -> Result<(), Wrong> {
                match self { $(Self::$name => $check(text).map(drop)),* }
            }
        }
    };
}

grammars! {
    /// A DNS label.
    Name "name" Name::parse, "a name, such as `trainer-1`";
    /// Bytes.
    Memory "memory" Memory::parse, "an amount in `KiB`, `MiB`, `GiB` or `TiB`, such as `\"16GiB\"`";
    /// Seconds.
    Duration "duration" Duration::parse, "a time in `s`, `m`, `h` or `d`, such as `\"1h30m\"`";
    /// Seconds, at least one.
    PositiveDuration "positive-duration" Duration::parse_positive, "a time in `s`, `m`, `h` or `d`, such as `\"1h30m\"`";
    /// A container image.
    Image "image" Image::parse, "an image, such as `\"registry/team/name:tag\"`";
    /// An absolute path.
    Path "path" AbsolutePath::parse, "an absolute path";
    /// The name of an environment variable.
    EnvName "env-name" EnvName::parse, "the name of an environment variable";
    /// Any text.
    Text "text" Text::parse, "text";
    /// Any text that is not empty.
    Filled "filled-text" values::filled, "text that is not empty";
    /// A tag, branch or commit.
    GitRef "git-ref" values::git_ref, "a tag, a commit or a branch";
    /// The name of a port of the role.
    PortName "port-name" values::port_name, "the name of a port, such as `\"web\"`";
    /// The name of a port, and a path there.
    PortPath "port-name/path" values::port_name, "the name of a port and a path, such as `\"web/health\"`";
    /// Where files are.
    Uri "uri" Uri::parse, "a uri, such as `\"hdfs://default/data\"`";
    /// A version.
    Version "version" Version::parse, "a version, such as `\"2.15\"`";
    /// The name of a user.
    UserName "user-name" user_name, "the name of a user";
    /// The name of a param.
    ParamName "param-name" values::param_name, "the name of a param";
}

impl Grammar {
    /// The grammar of that name in the schema.
    #[must_use]
    pub fn of(format: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|grammar| grammar.format() == format)
    }

    /// One word for it, as it stands in a form: `MEMORY`.
    #[must_use]
    pub fn slot(self) -> String {
        self.format().trim_start_matches("positive-").trim_start_matches("filled-").to_uppercase()
    }
}
