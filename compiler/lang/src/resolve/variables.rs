//! The variables that tfjob sets for a program, and the references that have the same values.
use super::reference::{Scope, Text};
use crate::plan::{Plan, Role};
use crate::references;
use crate::spec::{self, FrameworkName};
use std::collections::BTreeMap;
use tfjob_contract::{owner, variable};

/// What the references in a text can name.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    /// Whether the text belongs to a role.
    pub in_role: bool,
    pub code: bool,
    pub checkpoints: bool,
    pub data: Vec<&'a str>,
    pub stage: Vec<&'a str>,
    pub params: Vec<&'a str>,
    /// Roles and helpers.
    pub roles: Vec<&'a str>,
    /// Roles that have addresses.
    pub members: Vec<&'a str>,
    pub ports: Vec<&'a str>,
}

impl<'a> Names<'a> {
    /// Those of a role of the job.
    pub fn of(spec: &'a spec::Job, plan: &'a Plan, role: &'a Role) -> Self {
        let members = plan.roles.iter().filter(|role| role.kind.joins_rendezvous());
        Self {
            in_role: true,
            code: spec.code.is_some(),
            checkpoints: spec.checkpoints.is_some(),
            data: spec.data.0.iter().map(|(name, _)| name.value.as_str()).collect(),
            stage: spec.files.0.iter().map(|(name, _)| name.value.as_str()).collect(),
            params: spec.param.0.iter().map(|(name, _)| name.value.as_str()).collect(),
            roles: plan.roles.iter().map(|role| role.name.value.as_str()).collect(),
            members: members.map(|role| role.name.value.as_str()).collect(),
            ports: role.ports.iter().map(|port| port.name.value.as_str()).collect(),
        }
    }

    /// Returns each variable with its reference, without braces.
    pub fn variables(&self) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        for reference in references::ALL {
            let head = reference.head;
            for form in reference.forms {
                if !form.contains('.') && self.has(head) {
                    all.insert(variable(&[head]), head.to_owned());
                }
                let names = if form.contains('.') { self.named(head) } else { &[] };
                for name in names {
                    // The contract calls this port `cluster`.
                    let own = if (head, *name) == ("port", "rendezvous") { "cluster" } else { name };
                    all.entry(variable(&[head, own])).or_insert_with(|| format!("{head}.{name}"));
                }
            }
        }
        all
    }

    /// Those of a text.
    fn in_scope(scope: &'a Scope<'_>) -> Self {
        let roles = || scope.roles.keys().map(String::as_str);
        Self {
            in_role: scope.role.is_some(),
            code: scope.has_code,
            checkpoints: scope.has_checkpoints,
            data: scope.data.iter().map(String::as_str).collect(),
            stage: scope.stage.iter().map(String::as_str).collect(),
            params: scope.params.keys().map(String::as_str).collect(),
            roles: roles().collect(),
            members: roles().filter(|role| !scope.helpers.iter().any(|helper| helper == role)).collect(),
            ports: scope.ports.keys().map(String::as_str).collect(),
        }
    }

    fn named(&self, head: &str) -> &[&'a str] {
        match head {
            "data" => &self.data,
            "files" => &self.stage,
            "param" => &self.params,
            "count" => &self.roles,
            "addresses" => &self.members,
            "port" => &self.ports,
            _ => &[],
        }
    }

    fn has(&self, head: &str) -> bool {
        match head {
            "code" => self.code,
            "checkpoints" => self.checkpoints,
            "role" | "index" | "gpus" | "address" | "done" => self.in_role,
            _ => true,
        }
    }
}

/// What sets a variable when the program of a task starts, to a value that the container does not have before. What GPUs a
/// task sees, image and platform set too.
pub(super) fn generated_by(variable: &str, framework: FrameworkName, hadoop: bool) -> Option<&'static str> {
    let classes = hadoop && ["CLASSPATH", "LD_LIBRARY_PATH"].contains(&variable);
    let owner = owner(variable, framework, hadoop).filter(|owner| *owner != "resources gpus");
    owner.or(classes.then_some("hadoop"))
}

/// What is said of a variable that only the program has.
const IN_SHELL: &str =
    "this variable is set when the program starts: write the command as the text of `shell`";

/// What is said of a variable that `env` of the job sets: `{env.NAME}` is what image and platform set, not the job.
pub(super) fn set_by_job(name: &str) -> String {
    format!("`env` of this job sets `{name}`: write its value here too, or a `param` that both name")
}

/// The reference that has the value of a variable; what to say where there is none.
pub(super) fn instead_of(name: &str, scope: &Scope<'_>) -> Result<String, String> {
    if let Some(reference) = Names::in_scope(scope).variables().get(name) {
        return Ok(format!("{{{reference}}}"));
    }
    let own = matches!(scope.text, Text::Variable(variable) if variable == name);
    if scope.env.contains(&name) && !own {
        return Err(set_by_job(name));
    }
    let helper = scope.role.is_some_and(|(node, _)| node == "helper");
    let generated = !helper && !own && generated_by(name, scope.framework, false).is_some();
    if generated { Err(IN_SHELL.to_owned()) } else { Ok(format!("{{env.{name}}}")) }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn every_reference_but_those_of_the_container_has_a_variable() {
        let names = Names {
            in_role: true,
            code: true,
            checkpoints: true,
            data: vec!["a-b"],
            stage: vec!["s"],
            params: vec!["lr"],
            roles: vec!["worker"],
            members: vec!["worker"],
            ports: vec!["rendezvous"],
        };
        let variables = names.variables();
        for form in crate::references::ALL.iter().flat_map(|reference| reference.forms) {
            let body = form.trim_matches(['{', '}']);
            let head = body.split('.').next();
            let found = variables.values().any(|reference| {
                reference.split('.').next() == head && reference.contains('.') == body.contains('.')
            });
            assert_eq!(found, head != Some("env"), "{form}");
        }
        assert_eq!(variables.get("TFJOB_DATA_A_B").map(String::as_str), Some("data.a-b"));
        assert!(!Names::default().variables().contains_key("TFJOB_INDEX"));
    }
}
