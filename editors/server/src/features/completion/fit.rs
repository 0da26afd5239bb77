//! Examples that fit the job: its targets, and what it declares.
use super::context::Context;
use super::strings::ports;
use tfjob_lang::shape::{Field, Grammar, Place, Preset, Shape};
use tfjob_lang::spec::job_name;
use tfjob_lang::spec::values::Scheme;
use tfjob_lang::tree::{Tree, Value};

/// What the examples of a job depend on.
#[derive(Debug, Clone, Default)]
pub struct Fit {
    /// Whether programs of the job probably read HDFS.
    pub has_hdfs: bool,
    /// The ports that a probe of the role at the cursor may name.
    pub ports: Vec<String>,
    /// The fields that the job sets.
    fields: Vec<String>,
    /// The name of a job or cluster in the document.
    name: String,
}

impl Fit {
    /// Returns what the examples of the job of a document depend on.
    #[must_use]
    pub fn of(context: &Context<'_>) -> Self {
        let registry = *context.session.host.driver().registry();
        let job = |tree: &Tree| tree.get("job").map(|job| (job.get("hadoop").is_some(), targets(job)));
        let jobs: Vec<(bool, Vec<String>)> = context.trees().filter_map(job).collect();
        let checked = context.merged().flat_map(|(checked, _)| &checked.compiled);
        let has_hdfs = jobs.iter().any(|(has_hadoop, _)| *has_hadoop)
            || checked.map(|(target, _)| *target).any(|target| target.has_hdfs())
            || jobs
                .iter()
                .flat_map(|(_, targets)| targets)
                .filter_map(|name| registry.target(name))
                .any(|target| target.has_hdfs());
        let is_set = |tree: &Tree| tree.value != Value::Hole;
        let jobs = context.trees().filter_map(|tree| tree.get("job")).flat_map(Tree::entries);
        let fields = jobs.filter(|entry| is_set(&entry.tree)).map(|entry| entry.key.clone()).collect();
        let ports = ports(context, Grammar::PortName).into_iter().map(|name| name.text).collect();
        Self { has_hdfs, ports, fields, name: name_of_file(context) }
    }

    /// Returns the value of an example that fits: the name of the file for a job, the default if it refers to a field that the job
    /// sets, and otherwise a URI of the storage of the job.
    #[must_use]
    pub fn value(&self, field: Option<&Field>, example: String) -> String {
        if let Some(Preset::Text(default)) = field.and_then(|field| field.default)
            && self.fields.iter().any(|field| default.strip_prefix('{') == Some(&format!("{field}}}")))
        {
            return default.to_owned();
        }
        if field.is_some_and(is_name) {
            return self.name.clone();
        }
        let is_port = field.is_some_and(|field| field.shape == Shape::Text(Grammar::PortName));
        if let Some(first) = self.ports.first().filter(|_| is_port && !self.ports.contains(&example)) {
            return first.clone();
        }
        Scheme::adapted(&example, self.has_hdfs).unwrap_or(example)
    }
}

/// Returns whether a field is the name of a job or of a cluster.
#[must_use]
pub fn is_name(field: &Field) -> bool {
    field.name == "name" && field.place == Place::Arg && field.shape == Shape::Text(Grammar::Name)
}

/// Returns the name of the job or cluster in a document: that of the file.
#[must_use]
pub fn name_of_file(context: &Context<'_>) -> String {
    let file = context.document.path.file_name().unwrap_or_default().to_string_lossy();
    job_name(file.split('.').next().unwrap_or_default())
}

/// Returns the names of the targets that a job configures.
fn targets(job: &Tree) -> Vec<String> {
    job.get("target").map_or(&[][..], Tree::entries).iter().map(|entry| entry.key.clone()).collect()
}
