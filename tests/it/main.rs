//! Tests of the library and of the program, with texts and files.
#[path = "../shared/able.rs"]
mod able;
mod bases;
mod cli;
mod cluster;
mod commands;
mod context;
mod credentials;
mod defaults;
mod diff;
mod docs;
mod empty_names;
mod evidence;
mod examples;
mod first;
mod fixes;
mod forms;
mod generated;
#[cfg(unix)]
mod gitops;
mod job_summary;
mod krm;
mod language;
mod layout;
mod lsp;
mod messages;
mod options;
mod outputs;
#[path = "../shared/page.rs"]
mod page;
mod pages;
mod plain_values;
mod planted;
#[path = "../shared/program.rs"]
mod program;
mod project;
mod published;
mod references;
mod replaced;
mod scripts;
mod secrets;
mod shown;
#[path = "../shared/specs.rs"]
mod specs;
mod stdout;
mod steps;
mod suggestions;
mod tidy;
mod unchecked;
mod without_roles;
