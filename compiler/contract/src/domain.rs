//! Domain enums that specs and job contracts share, with their keywords and rules.
mod framework;
mod restart;
mod role;
mod strategy;
mod success;
mod when;

pub use framework::FrameworkName;
pub use restart::RestartOn;
pub use role::{Membership, RoleKind, leader};
pub use strategy::{Pace, StrategyName};
pub use success::Success;
pub use when::When;

use serde::de::{Deserializer, Error, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// A value of an enum, with its keyword and documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<T> {
    /// Value of the enum.
    pub value: T,
    /// Keyword in specs and job contracts.
    pub keyword: &'static str,
    /// One-line description of the value, for help and documentation.
    pub about: &'static str,
}

/// An enum with one keyword per value.
pub trait Keywords: Copy + 'static {
    /// Name of the type.
    const NAME: &'static str;
    /// One-line description of the type.
    const ABOUT: &'static str;
    /// All values, in the order of the documentation.
    const ENTRIES: &'static [Entry<Self>];
    /// Keywords of all values, in the order of the documentation.
    const KEYWORDS: &'static [&'static str];
}

/// Deserializes a keyword.
fn read<'de, T: Keywords, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    struct Reader<T>(PhantomData<T>);
    impl<T: Keywords> Visitor<'_> for Reader<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a keyword")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            let found = T::ENTRIES.iter().find(|entry| entry.keyword == text);
            found.map(|entry| entry.value).ok_or_else(|| E::unknown_variant(text, T::KEYWORDS))
        }
    }
    from.deserialize_str(Reader(PhantomData))
}

/// Declares an enum with its keywords: `/// Description.` and `Value = "keyword"` for each value.
macro_rules! keywords {
    (#[doc = $doc:literal] $name:ident { $(#[doc = $about:literal] $value:ident = $keyword:literal,)+ }) => {
        #[doc = $doc]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $(#[doc = $about] $value,)+ }

        impl $name {
            /// Every value, in the order of the documentation.
            pub const ALL: [Self; [$($keyword),+].len()] = [$(Self::$value),+];

            /// Every value with its keyword and description.
            pub const TABLE: &'static [$crate::domain::Entry<Self>] = &[$($crate::domain::Entry {
                value: Self::$value,
                keyword: $keyword,
                about: $about.trim_ascii(),
            }),+];

            /// Returns the keyword of the value.
            #[must_use]
            pub const fn keyword(self) -> &'static str {
                match self { $(Self::$value => $keyword),+ }
            }

            /// Returns the one-line description of the value.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $(Self::$value => $about.trim_ascii()),+ }
            }
        }

        impl $crate::domain::Keywords for $name {
            const NAME: &'static str = stringify!($name);
            const ABOUT: &'static str = $doc.trim_ascii();
            const ENTRIES: &'static [$crate::domain::Entry<Self>] = Self::TABLE;
            const KEYWORDS: &'static [&'static str] = &[$($keyword),+];
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.keyword())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::domain::read(from)
            }
        }
    };
}
use keywords;

#[cfg(test)]
mod tests {
    use super::{FrameworkName, Keywords, Membership, RestartOn, RoleKind, StrategyName, Success, When};
    use serde::de::DeserializeOwned;

    fn read_back<T: Keywords + DeserializeOwned + serde::Serialize + PartialEq + std::fmt::Debug>() {
        for entry in T::ENTRIES {
            let json = format!("\"{}\"", entry.keyword);
            assert_eq!(serde_json::to_string(&entry.value).unwrap(), json);
            assert_eq!(serde_json::from_str::<T>(&json).unwrap(), entry.value);
            assert!(!entry.about.is_empty() && !entry.about.contains('\n'), "{json}");
        }
        let unknown = serde_json::from_str::<T>("\"other\"").unwrap_err().to_string();
        assert!(unknown.contains("unknown variant `other`, expected "), "{unknown}");
        assert!(serde_json::from_str::<T>("1").is_err(), "{}", T::NAME);
    }

    #[test]
    fn each_keyword_is_written_and_read_back() {
        read_back::<FrameworkName>();
        read_back::<Membership>();
        read_back::<RestartOn>();
        read_back::<RoleKind>();
        read_back::<StrategyName>();
        read_back::<Success>();
        read_back::<When>();
    }
}
