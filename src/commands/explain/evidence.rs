//! The evidence behind a refusal: a section of `docs/evidence`, or a public source by its name.

/// The pages of `docs/evidence`.
const PAGES: [(&str, &str); 5] = [
    ("dcos", include_str!("../../../docs/evidence/dcos.md")),
    ("kubernetes", include_str!("../../../docs/evidence/kubernetes.md")),
    ("spark", include_str!("../../../docs/evidence/spark.md")),
    ("tensorflow", include_str!("../../../docs/evidence/tensorflow.md")),
    ("yarn", include_str!("../../../docs/evidence/yarn.md")),
];

/// A citation such as `yarn#disk`, resolved.
pub struct Evidence {
    /// The path with the anchor, such as `docs/evidence/yarn.md#disk`.
    pub path: String,
    /// The first sentence of the section.
    pub statement: &'static str,
}

impl Evidence {
    /// Returns the section that a citation names; `None` if it is the name of a public source.
    pub fn of(citation: &str) -> Option<Self> {
        let (name, anchor) = citation.split_once('#')?;
        let (_, page) = PAGES.iter().find(|(page, _)| *page == name)?;
        let mut sections = page.split("\n### ").skip(1).filter_map(|section| section.split_once("\n\n"));
        let (_, body) = sections.find(|(heading, _)| slug(heading) == anchor)?;
        let paragraph = body.lines().next()?;
        let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
        Some(Self { path: format!("docs/evidence/{name}.md#{anchor}"), statement: &paragraph[..end] })
    }
}

/// The anchor that GitHub gives to a heading.
fn slug(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
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
