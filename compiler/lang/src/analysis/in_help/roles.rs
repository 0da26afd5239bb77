//! The place of a new role among the entries of a job.
use super::{Place, key};
use crate::diagnostic::Edit;
use crate::sources::Span;
use crate::spec::FrameworkName;
use crate::syntax::Node;

impl Place<'_> {
    /// Returns the edit that adds a role: in the order of the roles of the framework; without other roles, as the last entry before
    /// the blocks of targets.
    pub(super) fn add_role(&self, owner: &Node, code: &str) -> Option<Edit> {
        let children = owner.children.as_deref().unwrap_or_default();
        let rank = |role: Option<&str>| rank(children, role);
        let new = rank(code.split('"').nth(1));
        let mut roles = children.iter().filter(|node| node.name == "role");
        let earlier = roles.clone().rfind(|node| rank(key(node)) <= new);
        if let Some(next) = roles.find(|node| rank(key(node)) > new).filter(|_| earlier.is_none()) {
            return Some(self.before(next, code));
        }
        let last = || children.iter().rfind(|node| node.name != "target");
        match earlier.or_else(last) {
            Some(previous) => Some(self.after(previous, code)),
            None => self.add_entry(owner, "role", code),
        }
    }

    /// Returns the edit that adds an entry after another one: on a new line, if nothing but a comment follows.
    fn after(&self, previous: &Node, code: &str) -> Edit {
        let text = &self.source.text;
        let own = self.source.local(previous.span);
        let rest = &text[own.end..];
        let line = rest.split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let remark = line.trim_start_matches([' ', '\t', ';']);
        let before = text[..own.start].rsplit('\n').next().unwrap_or_default();
        let is_line = (remark.is_empty() || remark.starts_with("//")) && before.trim().is_empty();
        let (end, text) = match is_line && rest.contains('\n') {
            true => (line.len() as u32, format!("\n{before}{code}")),
            false => (0, format!("; {code}")),
        };
        let at = previous.span.end + end;
        Edit { span: Span::new(at, at), text }
    }
}

/// Returns the position of a role among the roles of the framework that a job names; other roles come last.
fn rank(job: &[Node], role: Option<&str>) -> usize {
    let name = job.iter().find(|node| node.name == "framework").and_then(key);
    let all = FrameworkName::ALL.iter().copied();
    let framework = all.clone().find(|framework| name == Some(framework.keyword()));
    // The framework may be in a base file.
    let of_role = |role: &str| all.clone().find(|framework| framework.role_named(role).is_some());
    let Some(framework) = framework.or_else(|| of_role(role?)) else { return usize::MAX };
    let position = framework.roles().iter().position(|kind| Some(kind.keyword()) == role);
    position.unwrap_or(usize::MAX)
}
