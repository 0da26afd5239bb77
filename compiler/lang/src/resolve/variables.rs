//! The environment variables that tfjob sets, and the references that have the same values.
use super::reference::{Scope, Text};
use crate::plan::{Plan, Role};
use crate::references;
use crate::spec::{self, FrameworkName};
use std::collections::BTreeMap;
use tfjob_contract::{owner, variable};

/// The names that references in a text can use.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    /// Whether the text belongs to a role or helper.
    pub in_role: bool,
    pub code: bool,
    pub checkpoints: bool,
    pub data: Vec<&'a str>,
    pub stage: Vec<&'a str>,
    pub params: Vec<&'a str>,
    /// Names of roles and helpers.
    pub roles: Vec<&'a str>,
    /// Names of the roles that have addresses: those of the rendezvous.
    pub members: Vec<&'a str>,
    pub ports: Vec<&'a str>,
}

impl<'a> Names<'a> {
    /// Returns the names that references in a role of the job can use.
    pub fn new(spec: &'a spec::Job, plan: &'a Plan, role: &'a Role) -> Self {
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

    /// Returns a map from environment variables to references. Each reference is without braces.
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
                    all.entry(variable(&[head, name])).or_insert_with(|| format!("{head}.{name}"));
                }
            }
        }
        all
    }

    /// Returns the names that references in this scope can use.
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

/// Returns the field that generates this environment variable at program start. References are expanded earlier, so `{env.NAME}`
/// cannot read the value. `CUDA_VISIBLE_DEVICES` is excluded: an image or platform may set it, and `{env.NAME}` reads that value.
pub(super) fn generated_by(variable: &str, framework: FrameworkName, hadoop: bool) -> Option<&'static str> {
    let classes = hadoop && ["CLASSPATH", "LD_LIBRARY_PATH"].contains(&variable);
    let owner = owner(variable, framework, hadoop).filter(|owner| *owner != "resources gpus");
    owner.or(classes.then_some("hadoop"))
}

/// Help for an environment variable that is set only at program start.
fn only_in_shell(name: &str) -> String {
    format!(
        "`{name}` is set only when the program starts: write the command in `shell \"…\"`, which can read `${name}`"
    )
}

/// Help for a variable that `env` of the job sets. `{env.NAME}` reads the container environment, not the `env` of the job.
pub(super) fn set_by_job(name: &str) -> String {
    format!(
        "`{name}` is set in `env`, which other values cannot reference; do one of these: (1) write its value here too; \
         (2) define a `param`, and reference it both here and in the value of `{name}`"
    )
}

/// Returns the reference that has the same value as an environment variable.
///
/// # Errors
/// Returns the help to show if no reference has this value.
pub(super) fn instead_of(name: &str, scope: &Scope<'_>) -> Result<String, String> {
    if let Some(reference) = Names::in_scope(scope).variables().get(name) {
        return Ok(format!("{{{reference}}}"));
    }
    let in_own_value = matches!(scope.text, Text::Variable(variable) if variable == name);
    if scope.env.contains(&name) && !in_own_value {
        return Err(set_by_job(name));
    }
    let helper = scope.role.is_some_and(|(node, _)| node == "helper");
    let generated = !helper && !in_own_value && generated_by(name, scope.framework, false).is_some();
    if generated { Err(only_in_shell(name)) } else { Ok(format!("{{env.{name}}}")) }
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
