//! The evidence behind a refusal: a section of `docs/evidence`, or a public source by its name.
use crate::texts;

/// A resolved citation, such as `yarn#disk`.
pub struct Evidence {
    /// The path with the anchor, such as `docs/evidence/yarn.md#disk`.
    pub path: String,
    /// The first sentence of the section.
    pub statement: &'static str,
}

impl Evidence {
    /// Returns the section that a citation names; `None` if the citation is the name of a public source.
    pub fn of(citation: &str) -> Option<Self> {
        let mut sections = texts::evidence().lines().filter_map(|line| line.split_once('\t'));
        let (_, statement) = sections.find(|(section, _)| *section == citation)?;
        let (page, anchor) = citation.split_once('#')?;
        Some(Self { path: format!("docs/evidence/{page}.md#{anchor}"), statement })
    }
}

#[cfg(test)]
mod tests {
    use super::Evidence;

    #[test]
    fn a_citation_names_a_section_and_its_first_sentence() {
        let evidence = Evidence::of("yarn#disk").expect("a section");
        assert_eq!(evidence.path, "docs/evidence/yarn.md#disk");
        assert_eq!(evidence.statement, "A service neither reserves nor limits disk space.");
        assert!(Evidence::of("PodSecurityContext, runAsUser").is_none());
    }
}
