//! `tfjob show`: the resolved job: environment of one task, start order, or target support per feature.
mod defaults;
mod supports;

use crate::analysis::{self, Request, Unsaved};
use crate::args::Show;
use crate::files;
use crate::outcome::{Failure, Outcome};
use crate::project;
use crate::render::legible::{Legible, masked_value, scrubber};
use crate::render::{Format, Report};
use crate::terminal::TextStyle;
use std::io::{self, Write};
use std::path::Path;
use tfjob_driver::{Batch, Checked};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{TaskView, parts, reference};
use tfjob_lang::plan::{Command, Part, Plan, Role, RoleId, TaskRef, Template};
use tfjob_lang::requirement::{Lifecycle, Requirement};
use tfjob_lang::spec::{FrameworkName, When};
use tfjob_targets::shell;

/// Runs the command.
///
/// # Errors
/// Returns an error if the arguments are invalid, or the spec cannot be read.
pub fn run(args: &Show, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    if files::is_cluster(&args.path) {
        return Err(files::no_job(&args.path));
    }
    let (request, project) = request(args)?;
    for batch in project.into_iter().chain(request.of_cluster()).filter(|one| !one.diagnostics.is_empty()) {
        let wrong = batch.diagnostics.iter().any(Diagnostic::is_error);
        Report::new(&Legible::of(&[batch])).print(Format::Human, TextStyle::of(&io::stderr()), err)?;
        if wrong {
            return Ok(Outcome::Faulty);
        }
    }
    let mut checked = analysis::one(&args.path, &request)?.checked;
    // `show` also prints what a target refuses, so only a spec without a plan is an error.
    let Some(plan) = checked.plan.take() else {
        let batches = [std::mem::take(&mut checked.batch)];
        Report::new(&Legible::of(&batches)).print(Format::Human, TextStyle::of(&io::stderr()), err)?;
        return Ok(Outcome::Faulty);
    };
    let mut shown = Vec::new();
    let outcome = print_selected(args, &plan, &mut checked, &mut shown, err);
    let shown = String::from_utf8_lossy(&shown);
    out.write_all(scrubber(&checked.batch.sources).scrub(&shown).as_bytes())?;
    outcome
}

/// Returns the options of the command line, or with `--env` those of the environment and the findings of the project file.
fn request(args: &Show) -> Result<(Request, Option<Batch>), Failure> {
    let targets: Vec<_> = args.target.into_iter().collect();
    let Some(name) = &args.environment else {
        return Ok((Request::new(&targets, &args.sets, args.cluster.as_deref())?, None));
    };
    let options = project::Options {
        environments: std::slice::from_ref(name),
        targets: &targets,
        sets: &args.sets,
        artifacts: false,
        unsaved: Unsaved::default(),
    };
    let project = project::open(None, &options)?.ok_or_else(|| project::without(name))?;
    let request = project.runs.into_iter().next().map(|run| run.request);
    Ok((request.unwrap_or_default(), Some(project.batch)))
}

/// Prints the part of the job that the arguments select.
fn print_selected(
    args: &Show,
    plan: &Plan,
    checked: &mut Checked,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Failure> {
    if let Some(tree) = checked.tree.take().filter(|_| args.defaults) {
        defaults::print(&tree, &tfjob_targets::SHAPE, out)?;
        return Ok(Outcome::Clean);
    }
    if args.graph {
        graph(plan, out)?;
        return Ok(Outcome::Clean);
    }
    match &args.task {
        Some(task) => show_task(task, plan, checked, out, err),
        None => supports(plan, &args.path, checked, out),
    }
}

/// Returns the role and the index of a task such as `worker:1`. Default of the index: 0.
fn find_task(words: &str, plan: &Plan) -> Result<(RoleId, u32), Failure> {
    let (name, index) = words.split_once(':').unwrap_or((words, "0"));
    let roles = || plan.roles.iter().map(|role| role.name.value.as_str()).collect::<Vec<_>>().join(", ");
    let role = plan.roles.iter().position(|role| role.name.value == name);
    let tip = || crate::task_name::slash_tip(words).unwrap_or_default();
    let role = role
        .ok_or_else(|| Failure::new(format!("no role `{name}`; roles of this job: {}{}", roles(), tip())))?;
    let count = plan.roles[role].count.value;
    match index.parse() {
        Ok(index) if index < count => Ok((role, index)),
        _ => Err(Failure::new(format!("no task `{words}`; the last task is `{name}:{}`", count - 1))),
    }
}

fn show_task(
    words: &str,
    plan: &Plan,
    checked: &Checked,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let (role, index) = find_task(words, plan)?;
    let [(target, _)] = checked.compiled.as_slice() else {
        return Err(Failure::new("`--task` shows one target: set `--target`"));
    };
    if let Some(view) = target.view_with_references(plan, role, index) {
        let written = &plan.roles[role];
        let role = &written.name.value;
        writeln!(out, "# {role}:{index} of {} on {}", plan.name.value, target.name())?;
        // Only TensorFlow reads `TF_CONFIG`, and a single task does not need this variable.
        if plan.framework.name.value == FrameworkName::Tensorflow && plan.rendezvous_tasks() > 1 {
            writeln!(out, "# TF_CONFIG is set by {}", view.rendezvous)?;
        }
        script(&view, written, out)?;
        return Ok(Outcome::Clean);
    }
    let batches = std::slice::from_ref(&checked.batch);
    Report::new(&Legible::of(batches)).print(Format::Human, TextStyle::of(&io::stderr()), err)?;
    Ok(Outcome::Faulty)
}

/// Prints the environment, working directory, and command of a task as a shell script.
fn script(view: &TaskView, role: &Role, out: &mut dyn Write) -> io::Result<()> {
    for (name, value) in &view.env {
        let template = role.env.iter().find(|(own, _)| own.value == *name).map(|(_, template)| template);
        writeln!(out, "export {name}={}", quoted(&masked_value(name, value), template))?;
    }
    if let Some(workdir) = &view.workdir {
        writeln!(out, "cd {}", quoted(workdir, role.workdir.as_ref()))?;
    }
    let written = match &role.command {
        Command::Run(words) => words.as_slice(),
        Command::Shell(_) => &[],
    };
    // The platform may put arguments in front of the command of the spec: `own` is their number.
    let own = view.argv.len().saturating_sub(written.len());
    let mut argv = Vec::with_capacity(view.argv.len());
    for (at, word) in view.argv.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |before| view.argv[before].as_str());
        let flag = if before.starts_with('-') { before } else { "" };
        let template = at.checked_sub(own).and_then(|at| written.get(at));
        argv.push(quoted(&masked_value(flag, word), template));
    }
    writeln!(out, "{}", argv.join(" "))
}

/// Quotes a text for a shell. The shell expands a variable that stands for `{env.NAME}`; any other `$` is a literal character.
fn quoted(text: &str, template: Option<&Template>) -> String {
    let written = template.map_or(&[][..], |template| &template.parts);
    // `plain` is literal text that is not written yet; `rest` follows it.
    let (mut out, mut plain, mut rest) = (String::new(), String::new(), text);
    for (at, part) in written.iter().enumerate() {
        let length = match part {
            // This part is a credential that was masked in `rest`, so it no longer matches.
            Part::Text(text) if !rest.starts_with(text.as_str()) => break,
            Part::Text(text) => text.len(),
            Part::Task(TaskRef::Env(name), _) => {
                let Some(length) = variable(name, rest) else { break };
                out.push_str(&quoted_parts(&std::mem::take(&mut plain)));
                out.push_str(&format!("\"${{{name}}}\""));
                rest = &rest[length..];
                continue;
            }
            // A value that the target inserts ends where the next part starts.
            Part::Task(..) | Part::Data(..) => {
                written.get(at + 1).map_or(rest.len(), |next| start(next, rest))
            }
        };
        plain.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    plain.push_str(rest);
    out.push_str(&quoted_parts(&plain));
    if out.is_empty() { shell::quote("") } else { out }
}

/// Quotes a text in which the target has marked the references. Returns an empty string for an empty text.
fn quoted_parts(text: &str) -> String {
    let word = |(part, reference): (&str, bool)| match reference {
        true => format!("\"${{{}}}\"", part.trim_matches(['$', '{', '}'])),
        false => shell::quote(part),
    };
    parts(text).map(word).collect()
}

/// Returns the length of the reference to the variable `name` at the start of a text, in the syntax of any target. `None` if the
/// text does not begin with such a reference.
fn variable(name: &str, text: &str) -> Option<usize> {
    let plain = [format!("${{{name}}}"), format!("$({name})"), format!("${name}")];
    let forms = [reference(&plain[0]), reference(&plain[2])].into_iter().chain(plain);
    let forms: Vec<String> = forms.collect();
    forms.iter().find(|form| text.starts_with(form.as_str())).map(String::len)
}

/// Returns the first position of a part in a text; the length of the text if the part is not found.
fn start(part: &Part, text: &str) -> usize {
    let found = match part {
        Part::Text(own) => text.find(own.as_str()),
        Part::Task(TaskRef::Env(name), _) => {
            text.char_indices().map(|(at, _)| at).find(|at| variable(name, &text[*at..]).is_some())
        }
        Part::Task(..) | Part::Data(..) => None,
    };
    found.unwrap_or(text.len())
}

/// Prints the roles in their start order. Roles with the same number start together.
fn graph(plan: &Plan, out: &mut dyn Write) -> io::Result<()> {
    let edges: Vec<(RoleId, RoleId, When)> =
        plan.requirements.iter().filter_map(|required| edge(&required.requirement)).collect();
    let mut waves = vec![0; plan.roles.len()];
    // The order has no cycle, because a cycle is an error. One round per role is therefore enough.
    for _ in 0..plan.roles.len() {
        for (role, first, _) in &edges {
            waves[*role] = waves[*role].max(waves[*first] + 1);
        }
    }
    let mut order: Vec<RoleId> = (0..plan.roles.len()).collect();
    order.sort_by_key(|role| waves[*role]);
    for role in order {
        let name = |id: RoleId| plan.roles[id].name.value.as_str();
        let waits = edges.iter().filter(|(after, _, _)| *after == role);
        let waits: Vec<_> =
            waits.map(|(_, first, when)| format!("{} is {}", name(*first), when.keyword())).collect();
        let after = if waits.is_empty() { String::new() } else { format!(" when {}", waits.join(" and ")) };
        writeln!(out, "{}. {}{after}", waves[role] + 1, name(role))?;
    }
    Ok(())
}

fn edge(requirement: &Requirement) -> Option<(RoleId, RoleId, When)> {
    if let Requirement::Lifecycle(Lifecycle::After { role, first, when }) = requirement {
        Some((*role, *first, *when))
    } else {
        None
    }
}

/// Prints how each target supports what the job requests.
fn supports(plan: &Plan, spec: &Path, checked: &Checked, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let configured: Vec<_> = checked.compiled.iter().map(|(target, _)| *target).collect();
    let targets = if configured.is_empty() { tfjob_targets::ALL } else { configured.as_slice() };
    for target in targets {
        supports::print(*target, plan, (&checked.batch.sources, &spec.to_string_lossy()), out)?;
    }
    Ok(Outcome::Clean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tfjob_lang::plan::DataRef;
    use tfjob_lang::sources::Span;

    #[test]
    fn a_variable_and_a_plain_sign_are_written_differently() {
        let at = Span::default();
        let text = |text: &str| Part::Text(text.to_owned());
        let home = || Part::Task(TaskRef::Env("HOME".to_owned()), at);
        let shown = |value: &str, parts: Vec<Part>| quoted(value, Some(&Template { parts, span: at }));
        assert_eq!(shown("$HOME", vec![text("$HOME")]), "'$HOME'");
        assert_eq!(shown("$HOME", vec![home()]), "\"${HOME}\"");
        assert_eq!(shown("a/$HOME/b c", vec![text("a/"), home(), text("/b c")]), "a/\"${HOME}\"'/b c'");
        assert_eq!(shown("$HOME is $HOME", vec![text("$HOME is "), home()]), "'$HOME is '\"${HOME}\"");
        assert_eq!(
            shown("$HOMEDIR and ${HOME}", vec![text("$HOMEDIR and "), home()]),
            "'$HOMEDIR and '\"${HOME}\""
        );
        let code = || Part::Data(DataRef::Code, at);
        assert_eq!(shown("0 of 2", vec![code(), text(" of 2")]), "'0 of 2'");
        assert_eq!(shown("/c$HOME:$HOME", vec![code(), home(), text(":$HOME")]), "/c\"${HOME}\"':$HOME'");
        assert_eq!(shown("*****", vec![text("a "), home()]), "'*****'");
        assert_eq!(shown("/root", vec![home()]), "/root");
        assert_eq!(shown("", Vec::new()), "''");
        // The value has a reference that the target has marked, and then the same characters as literal text of the user.
        let folder = format!("{}/logs$WORK_DIR", reference("$WORK_DIR"));
        let written = || vec![code(), text("/logs$WORK_DIR")];
        assert_eq!(shown(&folder, written()), "\"${WORK_DIR}\"'/logs$WORK_DIR'");
        assert_eq!(quoted(&folder, None), "\"${WORK_DIR}\"'/logs$WORK_DIR'");
        assert_eq!(shown(&reference("${HOME}"), vec![home()]), "\"${HOME}\"");
    }
}
