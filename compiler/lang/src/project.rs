//! The typed project file `tfjob.kdl`: the specs of a project, its environments, and its output directory. One declaration per
//! field, as in [`crate::spec`].
use crate::analysis::{self, Loaded};
use crate::at::{At, Named};
use crate::codes::BAD_VALUE;
use crate::diagnostic::Diagnostic;
use crate::escape::Escaped;
use crate::shape::{self, Shape};
use crate::sources::Sources;
use crate::spec::values::Text;
use crate::target::AnyTarget;
use crate::tree;
use schemars::JsonSchema;
use serde::Deserialize;

/// Root of a project file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct File {
    /// Specs, environments, and output directory that `tfjob check` and `tfjob compile` use without arguments. This block is in the
    /// file `tfjob.kdl`.
    pub project: At<Project>,
}

/// A project: which specs `tfjob check` and `tfjob compile` read without arguments, and where the manifests are written.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Project {
    /// Specs: paths, directories, or globs such as `jobs/**/*.tfjob.kdl`, relative to the project file. A glob that begins with
    /// `!` excludes specs. Default: all specs in the directory of the project file.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "args"))]
    pub specs: Vec<At<Text>>,
    /// Output directory, relative to the project file. Default: `out`.
    pub out: Option<At<Text>>,
    /// Environment, such as `staging`. Its manifests are written to `OUT/ENVIRONMENT/JOB/TARGET`. Without environments, the targets
    /// of each spec are used, and the manifests are written to `OUT/JOB/TARGET`.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
    pub environment: Named<At<Environment>>,
}

/// A set of options with which the specs of a project are compiled.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Environment {
    /// Targets. Default: the target of `cluster`; without `cluster`, the targets that each spec configures.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "args"))]
    pub target: Vec<At<Text>>,
    /// Cluster file, relative to the project file.
    pub cluster: Option<At<Text>>,
    /// Fields of the specs to override, such as `"role.worker.count=8"`, as with `--set`.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "args"))]
    pub set: Vec<At<Text>>,
    /// Specs of this environment. Default: `specs` of the project.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "args"))]
    pub specs: Vec<At<Text>>,
}

/// A parsed project file.
#[derive(Debug, Clone)]
pub struct ProjectFile {
    /// Text of the file.
    pub sources: Sources,
    /// Diagnostics of the file, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// The project; `None` if the file has errors.
    pub project: Option<Project>,
}

/// Parses a project file. Never fails: errors are in `diagnostics`.
#[must_use]
pub fn read(text: &Loaded, shape: &Shape) -> ProjectFile {
    let mut sources = Sources::default();
    let mut out = Vec::new();
    let nodes = analysis::Nodes::default();
    let tree = analysis::text(text, shape, &mut sources, &nodes, &mut out);
    out.extend(shape::require(&tree, shape, &sources));
    let file: Option<File> =
        if out.iter().any(Diagnostic::is_error) { None } else { tree::decode(&tree, &sources).ok() };
    if let Some(file) = &file {
        check(&file.project.value, &mut out);
    }
    analysis::suggest_edits(&mut out, &sources, shape, &nodes);
    shape::restate(&mut out, &sources, text.format, shape);
    out.sort_by_key(|d| (d.span(), d.code.name));
    let project = file.map(|file| file.project.value).filter(|_| !out.iter().any(Diagnostic::is_error));
    ProjectFile { sources, diagnostics: out, project }
}

/// Checks the paths: each is relative and names nothing outside the directory of the project file.
fn check(project: &Project, out: &mut Vec<Diagnostic>) {
    let environments = project.environment.iter().map(|(_, environment)| &environment.value);
    let specs = environments.clone().flat_map(|environment| &environment.specs).chain(&project.specs);
    let clusters = environments.clone().filter_map(|environment| environment.cluster.as_ref());
    for path in specs.chain(clusters).chain(&project.out) {
        let text = path.value.as_str();
        let plain = text.strip_prefix('!').unwrap_or(text);
        let outside = plain.starts_with('/') || plain.split(['/', '\\']).any(|part| part == "..");
        if plain.is_empty() || outside {
            let fact = match plain {
                "" => "the path is empty".to_owned(),
                _ => format!("`{}` is not a path inside the project", text.escaped()),
            };
            let help = "write a path relative to the directory of `tfjob.kdl`, such as `jobs` or `rendered`, without `..`";
            out.push(
                Diagnostic::new(&BAD_VALUE, path.span, fact)
                    .here(if plain.is_empty() { "empty" } else { "not inside the project" })
                    .help(help),
            );
        }
    }
    out.extend(project.out.as_ref().and_then(unusable));
    for set in environments.flat_map(|environment| &environment.set) {
        if !set.value.as_str().contains('=') {
            let fact = match set.value.as_str() {
                "" => "the setting is empty".to_owned(),
                text => format!("`{}` has no value", text.escaped()),
            };
            let help = "write the field and its value, such as `\"role.worker.count=8\"`";
            out.push(Diagnostic::new(&BAD_VALUE, set.span, fact).here("no `=`").help(help));
        }
    }
}

/// Returns an error for an output directory in which a file would damage the Git repository or have a name of several lines.
fn unusable(path: &At<Text>) -> Option<Diagnostic> {
    let text = path.value.as_str();
    let help = "write another directory, such as `rendered`";
    let wrong = |fact: String, here| Some(Diagnostic::new(&BAD_VALUE, path.span, fact).here(here).help(help));
    if text.contains(char::is_control) {
        let fact = format!("`{}` contains a control character", text.escaped());
        return wrong(fact, "`tfjob compile --list` prints one path per line");
    }
    // File systems that ignore the case find the same directory.
    if text.split(['/', '\\']).any(|part| part.eq_ignore_ascii_case(".git")) {
        let fact = format!("`{}` is inside the directory of the Git repository", text.escaped());
        return wrong(fact, "Git runs or reads files here");
    }
    None
}

/// Returns the shape of a project file whose environments may use these targets.
///
/// # Panics
/// Never for the targets of tfjob: a test builds the shape.
#[must_use]
pub fn shape_of(targets: &[&dyn AnyTarget]) -> Shape {
    let names: Vec<&str> = targets.iter().map(|target| target.name()).collect();
    Shape::from_schema(&shape::project_schema(&names)).expect("a test builds the shape of a project")
}
