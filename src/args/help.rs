//! The overview of commands in `tfjob --help`, and tips for arguments of other tools.
use super::Line;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Parser};
use std::fmt::Write;

/// Commands for editors, shells, and packages. All others are listed first.
const TOOLING: [&str; 4] = ["schema", "completions", "man", "help"];

/// Parses the arguments of the process. If the arguments select no command, prints help or an error, and exits.
#[must_use]
pub fn parse() -> Line {
    Line::try_parse().unwrap_or_else(|error| match error.kind() {
        // The overview is built only for the help, because it takes longer than a small check.
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            command().try_get_matches().map_or_else(|error| error.exit(), |_| error.exit())
        }
        _ => with_tip(error).exit(),
    })
}

/// Returns the definition of the command line. Its help lists the commands in two groups.
#[must_use]
pub fn command() -> Command {
    let mut line = Line::command();
    line.build();
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{}Options:\n{{options}}{{after-help}}",
        group("Commands", &line, |name| !TOOLING.contains(&name)),
        group("Editors and shells", &line, |name| TOOLING.contains(&name)),
    );
    Line::command().help_template(template)
}

fn group(title: &str, line: &Command, has: impl Fn(&str) -> bool) -> String {
    let all = || line.get_subcommands().filter(|command| !command.is_hide_set() && has(command.get_name()));
    let width = line.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or_default();
    let mut text = format!("{title}:\n");
    for command in all() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(text, "  {:<width$}  {about}", command.get_name())
            .expect("writing to a String does not fail");
    }
    text + "\n"
}

/// Names of commands in other tools, and the command with the same purpose.
const COMMANDS: &[(&str, &str)] = &[
    ("apply", "compile"),
    ("build", "compile"),
    ("create", "init"),
    ("describe", "show"),
    ("diff", "compile"),
    ("format", "fmt"),
    ("generate", "compile"),
    ("lint", "check"),
    ("new", "init"),
    ("plan", "show"),
    ("render", "compile"),
    ("start", "run"),
    ("submit", "compile"),
    ("template", "compile"),
    ("test", "check"),
    ("validate", "check"),
    ("verify", "check"),
];

/// Options of other tools, and a tip for each.
const OPTIONS: &[(&str, &str)] = &[
    ("--cluster", "to check a job for a cluster, use 'tfjob check FILE --cluster CLUSTER'"),
    ("--dry-run", "'tfjob check' writes no files, and 'tfjob compile --stdout' only prints the artifacts"),
    ("--file", "write a file without an option: 'tfjob check FILE'"),
    ("--strict", "to fail if a spec has warnings, use '--deny-warnings'"),
    ("-f", "write a file without an option: 'tfjob check FILE'"),
    ("-t", "to select a target, use '--target TARGET'"),
];

/// Adds a tip to the error for a command or an option of other tools, and for several targets in one argument.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand).unwrap_or_default();
            if let Some((_, ours)) = COMMANDS.iter().find(|(theirs, _)| *theirs == word) {
                let tip = ContextValue::Strings(vec![(*ours).to_owned()]);
                error.insert(ContextKind::SuggestedSubcommand, tip);
            }
        }
        ErrorKind::InvalidValue => {
            let (argument, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
            let of_target = argument.is_some_and(|argument| argument.starts_with("--target"));
            let value = value.filter(|value| of_target && value.contains(',')).unwrap_or_default();
            let options: Vec<String> =
                value.split(',').map(|name| format!("--target {}", name.trim())).collect();
            if !value.is_empty() {
                let tip = format!("to select several targets, repeat the option: '{}'", options.join(" "));
                error.remove(ContextKind::SuggestedValue);
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
            }
        }
        ErrorKind::UnknownArgument => {
            let argument = text(ContextKind::InvalidArg).unwrap_or_default();
            if let Some((_, tip)) = OPTIONS.iter().find(|(theirs, _)| *theirs == argument) {
                error.remove(ContextKind::SuggestedArg);
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![(*tip).into()]));
            }
        }
        _ => {}
    }
    error
}
