//! Help for keywords of other systems, filled in with the value that the user wrote.
use super::Reader;
use crate::shape::suggest::{Carried, carry, for_example};
use crate::syntax::{Node, NodeEntry, Scalar};

impl Reader<'_> {
    /// Returns `help` with the value of `node` inserted, such as `deadline "3600s"`. If the equivalent field does not accept the
    /// value, returns `help` reworded as an example. `None` if neither is possible.
    pub(super) fn carried(&self, help: &str, node: &Node) -> Option<String> {
        let something = !node.entries.is_empty() || node.children.as_ref().is_some_and(|all| !all.is_empty());
        let filled = self.filled(help, node);
        filled.or_else(|| for_example(help, &node.name).filter(|_| something))
    }

    fn filled(&self, help: &str, node: &Node) -> Option<String> {
        let words = |entry: &NodeEntry| match &entry.value {
            Scalar::Text(text) => Some(text.clone()),
            Scalar::Int(_) | Scalar::Float(_) => Some(self.source.slice(entry.span).to_owned()),
            Scalar::Null | Scalar::Bool(_) => None,
        };
        let one = |node: &Node| match node.entries.as_slice() {
            [only] if only.key.is_none() => words(only),
            _ => None,
        };
        let children = node.children.as_deref().unwrap_or_default();
        if let ([], [NodeEntry { key: None, value: Scalar::Bool(flag), .. }]) =
            (children, node.entries.as_slice())
        {
            return carry(self.root, help, &node.name, &Carried::Flag(*flag));
        }
        let several = |node: &Node| {
            let words = node.entries.iter().filter(|entry| entry.key.is_none()).map(words);
            words.collect::<Option<Vec<String>>>().filter(|words| words.len() == node.entries.len())
        };
        if children.is_empty() && node.entries.len() > 1 {
            return carry(self.root, help, &node.name, &Carried::Rows(vec![several(node)?]));
        }
        if children.is_empty() {
            return carry(self.root, help, &node.name, &Carried::One(&one(node)?));
        }
        let pairs: Option<Vec<(&str, String)>> =
            children.iter().map(|child| Some((child.name.as_str(), one(child)?))).collect();
        let pairs = pairs?;
        let pairs = Carried::Pairs(pairs.iter().map(|(name, value)| (*name, value.as_str())).collect());
        carry(self.root, help, &node.name, &pairs)
    }
}

#[cfg(test)]
mod tests {
    use crate::shape::tests::in_job;

    #[test]
    fn the_help_for_a_word_of_another_system_has_the_value_of_the_user() {
        for (line, wanted) in [
            ("activeDeadlineSeconds 3600", "deadline \"3600s\""),
            ("timeout \"2h\"", ""),
            (
                "nodeSelector { gpu \"true\"; zone \"b\" }",
                "placement { node \"gpu\" \"true\"; node \"zone\" \"b\" }",
            ),
            ("executor_memory \"4g\"", "memory=\"4GiB\""),
            ("source \"./train\"", "code \"./train\""),
            (
                "affinity \"x\"",
                "use `placement` instead, for example `placement { node \"disktype\" \"ssd\" }`",
            ),
            ("affinity { x { y 1; }; }", "use `placement` instead, for example"),
            ("constraints \"hostname\" \"UNIQUE\"", "write `placement { spread \"host\" }`"),
            ("constraints \"rack:CLUSTER:r1\"", "write `placement { node \"rack\" \"r1\" }`"),
            (
                "constraints \"[[\\\"hostname\\\",\\\"UNIQUE\\\"],[\\\"a\\\",\\\"IS\\\",\\\"b\\\"]]\"",
                "placement { spread \"host\"; node \"a\" \"b\" }",
            ),
            ("constraints \"rack\" \"GROUP_BY\"", "the constraint `rack GROUP_BY` is not supported"),
            ("constraints", "write `placement { node \"disktype\" \"ssd\" }"),
            ("node_label \"gpu\"", "write `placement { partition \"gpu\" }`"),
            (
                "target \"site\" { nodeLabelExpression \"a100\"; }",
                "for example `placement { partition \"a100\" }`",
            ),
            ("target \"site\" { labels \"gpu\"; }", "to select nodes, set `placement { partition \"gpu\" }`"),
            ("target \"site\" { labels { a \"b\"; }; }", "`labels` is an entry of `job`"),
            (
                "target \"site\" { py-files \"a.zip\"; }",
                "`env { PYTHONPATH \"{files.lib}:{env.PYTHONPATH}\" }`",
            ),
            (
                "volumes { }",
                "write `data \"train\" \"pvc://claim/train\" at=\"/data\"`; a temporary directory is `{scratch}`",
            ),
            (
                "volume \"/a:/b\"",
                "use `data` instead, for example `data \"train\" \"pvc://claim/train\" at=\"/data\"`",
            ),
            ("livenessProbe { exec \"x\" }", "liveness probes are not supported"),
        ] {
            let job = in_job(&format!(" {line}"));
            let help = job.all.iter().find_map(|d| d.help.clone()).unwrap_or_default();
            assert!(help.contains(wanted), "{line}: {help}");
        }
    }
}
