//! The types of tokens.
use lsp_types::{SemanticTokenModifier, SemanticTokenType};
use std::ops::Range;
use tfjob_lang::mentions::Kind;

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Bytes in the text.
    pub bytes: Range<usize>,
    /// Type of the token.
    pub kind: Type,
    /// Whether a name is declared here.
    pub declares: bool,
}

/// Type of a token: types of the protocol, which color themes know, and `unresolvedReference`, which other servers use too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    /// The name of an entry that the language has, or a keyword such as `#true`.
    Keyword,
    /// The name of a property, or a name in a block of names and values.
    Property,
    /// An unknown entry or property.
    Unknown,
    /// A string.
    Text,
    /// A number.
    Number,
    /// The unit of a quantity.
    Unit,
    /// A keyword in quotes.
    EnumMember,
    /// A comment, or an entry that is disabled by `/-`.
    Comment,
    /// A role or helper.
    Role,
    /// A target or the job.
    Namespace,
    /// A parameter.
    Parameter,
    /// Data, files, a port, an environment variable, or a reference to the code or the checkpoints.
    Variable,
}

impl Type {
    /// All types, in the order of the legend.
    const ALL: [Self; 12] = [
        Self::Keyword,
        Self::Property,
        Self::Unknown,
        Self::Text,
        Self::Number,
        Self::Unit,
        Self::EnumMember,
        Self::Comment,
        Self::Role,
        Self::Namespace,
        Self::Parameter,
        Self::Variable,
    ];

    /// Returns the type of a name.
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Role => Self::Role,
            Kind::Target | Kind::Job => Self::Namespace,
            Kind::Param => Self::Parameter,
            Kind::Data | Kind::Files | Kind::Port | Kind::Variable | Kind::Code | Kind::Checkpoints => {
                Self::Variable
            }
        }
    }

    /// Returns the position in the legend.
    pub fn number(self) -> u32 {
        let number = Self::ALL.iter().position(|one| *one == self).unwrap_or_default();
        u32::try_from(number).unwrap_or_default()
    }

    const fn name(self) -> SemanticTokenType {
        match self {
            Self::Keyword => SemanticTokenType::KEYWORD,
            Self::Property => SemanticTokenType::PROPERTY,
            Self::Unknown => SemanticTokenType::new("unresolvedReference"),
            Self::Text => SemanticTokenType::STRING,
            Self::Number => SemanticTokenType::NUMBER,
            Self::Unit => SemanticTokenType::TYPE,
            Self::EnumMember => SemanticTokenType::ENUM_MEMBER,
            Self::Comment => SemanticTokenType::COMMENT,
            Self::Role => SemanticTokenType::CLASS,
            Self::Namespace => SemanticTokenType::NAMESPACE,
            Self::Parameter => SemanticTokenType::PARAMETER,
            Self::Variable => SemanticTokenType::VARIABLE,
        }
    }
}

/// The modifiers of tokens, in the order of the legend.
pub const MODIFIERS: [SemanticTokenModifier; 1] = [SemanticTokenModifier::DECLARATION];

/// Returns the types of tokens, in the order of the legend.
#[must_use]
pub fn types() -> [SemanticTokenType; 12] {
    Type::ALL.map(Type::name)
}
