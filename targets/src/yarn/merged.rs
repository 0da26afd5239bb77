//! A service with the user's patches in it: what the engine says of it as a whole, or does in silence.
mod levels;

use super::context::Context;
use super::patched::NETWORK;
use super::support::network::is_lonely;
use super::support::storage::upload::unpacks;
use super::variables::INDEX;
use crate::contract_builder;
use crate::devices::is_gpu;
use crate::patch::Merged;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_lang::lowered::{Lowered, Phase, Word};
use tfjob_lang::plan::Role;
use tfjob_lang::requirement::{Requirement, Storage};
use tfjob_lang::spec::values::{Archive, Image};

/// Judges the service.
pub fn judge(context: &Context<'_>, lowered: &Lowered, merged: &mut Merged<'_>) {
    let plan = context.plan;
    let posted = lowered
        .steps
        .iter()
        .any(|step| step.phase == Phase::Submit && step.argv.first() == Some(&Word::from("curl")));
    merged.lost(&[
        ("/components", Some("name")),
        ("/configuration/files", Some("dest_file")),
        ("/components/*/configuration/files", Some("dest_file")),
        ("/components/*/configuration/env/YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS", None),
    ]);
    variables(context, lowered, merged);
    levels::judge(context, merged);
    let mut files = BTreeSet::new();
    all_files(context, "/configuration/files", &mut files, merged);
    for (at, component) in merged.items("/components") {
        let name = component["name"].as_str().unwrap_or_default();
        if name != "tensorboard" && !plan.roles.iter().any(|role| role.name.value == name) {
            merged.fault(&[&format!("{at}/name"), &at], &format!("`{name}` is no role of the job"));
        }
        let artifact = &component["artifact"];
        if artifact.is_object() {
            image(context, &format!("{at}/artifact"), name, artifact, merged);
        }
        if let Some(role) = plan.roles.iter().find(|role| role.name.value == name) {
            hidden(&at, role, merged);
            emptied(context, &at, merged);
            numbered(&at, component, role, merged);
        }
        all_files(context, &format!("{at}/configuration/files"), &mut files.clone(), merged);
        for (at, constraint) in merged.items(&format!("{at}/placement_policy/constraints")) {
            constrained(&at, constraint, name, posted, merged);
        }
    }
}

/// Variables that a patch sets, and that the shim or the launch command sets again before the program starts.
fn variables(context: &Context<'_>, lowered: &Lowered, merged: &mut Merged<'_>) {
    let list = |at: &str, merged: &Merged<'_>| {
        let map = merged.at(at).as_object().into_iter().flatten();
        let all = map.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()));
        all.collect::<BTreeMap<String, String>>()
    };
    for (at, component) in merged.items("/components") {
        let role = component["name"].as_str().unwrap_or_default();
        let own = format!("{at}/configuration/env");
        let places = ["/configuration/env", own.as_str()];
        let mut env: BTreeMap<String, String> = places.iter().flat_map(|place| list(place, merged)).collect();
        let mut patched = Vec::new();
        for place in places {
            for name in list(place, merged).into_keys() {
                let pointer = format!("{place}/{}", tfjob_lang::origin::pointer_step(&name));
                if merged.wrote(&pointer) && !name.starts_with("YARN_CONTAINER_RUNTIME_") {
                    patched.push((name, pointer));
                }
            }
        }
        env.extend(env.contains_key(INDEX).then(|| (INDEX.to_owned(), "0".to_owned())));
        let known = context.plan.roles.iter().any(|known| known.name.value == role);
        let contract = lowered.contract.as_ref().filter(|_| known && !patched.is_empty());
        let names = patched.iter().map(|(name, _)| name);
        let again: Option<BTreeSet<String>> = contract.map(|(contract, _)| {
            contract_builder::lost_variables(contract, env, role, names).into_iter().cloned().collect()
        });
        let launch = component["launch_command"].as_str().unwrap_or_default();
        let exports = exports(launch);
        networked(context, &at, component, merged);
        for (name, pointer) in patched {
            if again.as_ref().unwrap_or(&exports).contains(&name) {
                let fact =
                    format!("`{name}` has no effect: it is set again before the program of `{role}` starts");
                merged.changed(&pointer, &fact);
            }
        }
    }
}

/// A GPU that a patch reserves for a role without `gpus`: no program sees it.
fn hidden(at: &str, role: &Role, merged: &mut Merged<'_>) {
    if role.resources.gpus > 0 || role.resources.other_devices {
        return;
    }
    let all = format!("{at}/resource/additional");
    let kinds: Vec<String> =
        merged.at(&all).as_object().into_iter().flat_map(|map| map.keys().cloned()).collect();
    for kind in kinds.iter().filter(|kind| is_gpu(kind)) {
        let value = format!("{all}/{}/value", tfjob_lang::origin::pointer_step(kind));
        let Some(count) = merged.at(&value).as_u64().filter(|count| *count > 0 && merged.wrote(&value))
        else {
            continue;
        };
        let instead = if kind == "yarn.io/gpu" {
            format!("resources gpus={count}")
        } else {
            format!("resources {{ device \"{kind}\" {count} }}")
        };
        let fact = format!(
            "`{}` reserves `{kind}` and has no `gpus`, so CUDA_VISIBLE_DEVICES hides it: write `{instead}` instead",
            role.name.value
        );
        merged.fault(&[&value], &fact);
    }
}

/// The engine passes over the numbers of decommissioned instances, and makes as many others
/// (`Component.createOneCompInstance` of Hadoop 3.3.6).
fn numbered(at: &str, component: &Value, role: &Role, merged: &mut Merged<'_>) {
    let all =
        component["decommissioned_instances"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for instance in all {
        let number = instance.strip_prefix(&role.name.value).and_then(|rest| rest.strip_prefix('-'));
        if number
            .and_then(|number| number.parse::<u32>().ok())
            .is_some_and(|number| number < role.count.value)
        {
            let fact = format!(
                "`{instance}` is not made: the engine gives another task of `{}` a number beyond `count`, and tasks are found by their numbers",
                role.name.value
            );
            merged.fault(&[&format!("{at}/decommissioned_instances")], &fact);
            return;
        }
    }
}

/// The engine sets the network of a container from a property, over any variable (`DockerProviderService.processArtifact`); the
/// component's own wins over the service's.
fn networked(context: &Context<'_>, at: &str, component: &Value, merged: &mut Merged<'_>) {
    if !component["artifact"].is_object() {
        return;
    }
    let own = format!("{at}/configuration");
    let places = [own.as_str(), "/configuration"];
    let properties = places.map(|place| format!("{place}/properties/docker.network"));
    let variables = places.map(|place| format!("{place}/env/{NETWORK}"));
    let there = |pointer: &&String| merged.at(pointer).is_string();
    let stated = properties.iter().find(there);
    if let Some(pointer) = stated.or_else(|| variables.iter().find(there)) {
        let network = merged.at(pointer).as_str().unwrap_or_default();
        if is_lonely(context, network) {
            let role = component["name"].as_str().unwrap_or_default();
            let fact = format!(
                "containers of `{role}` are in Docker's `{network}` network, with addresses that no other node reaches"
            );
            merged.fault(&[pointer], &fact);
        }
    }
    // A value that is not there has the origin of the map that would hold it.
    let fact =
        format!("`{NETWORK}` has no effect: the engine sets it to `docker.network`, which `network` says");
    for pointer in variables.iter().filter(|_| stated.is_some()) {
        if !merged.at(pointer).is_null() {
            merged.changed(pointer, &fact);
        }
    }
}

/// The shim looks into the checkpoints in the container, where a memory file system of a patch has its place. The list of the
/// other mounts is the job's own.
fn emptied(context: &Context<'_>, at: &str, merged: &mut Merged<'_>) {
    let fresh = context.requirements(|requirement| {
        matches!(requirement, Requirement::Storage(Storage::CheckpointsFresh { mounted: true }))
    });
    let folder = context.plan.storage.checkpoints.as_ref().and_then(|checkpoints| checkpoints.at.as_ref());
    let Some(folder) = folder.filter(|_| fresh).map(|at| at.value.trim_end_matches('/')) else { return };
    let inside = |path: &&str| {
        let rest = path.trim_end_matches('/').strip_prefix(folder);
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    for above in [at, ""] {
        let place = format!("{above}/configuration/env/YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS");
        let list = merged.at(&place).as_str().unwrap_or_default();
        if let Some(path) = list.split(',').find(inside) {
            let fact = format!("`{path}` is inside `{folder}`, which must be empty when the job starts");
            merged.changed(&place, &fact);
        }
    }
}

/// The names that a launch command exports: what stands in a value is no name.
fn exports(launch: &str) -> BTreeSet<String> {
    let source = shlex::split(&format!("\"{launch}\"")).unwrap_or_default().join(" ");
    let words = shlex::split(&source).unwrap_or_default();
    let exported =
        words.into_iter().skip_while(|word| word != "export").skip(1).take_while(|word| word != "&&");
    exported.filter_map(|word| word.split_once('=').map(|(name, _)| name.to_owned())).collect()
}

/// An image has a name that the node's Docker runtime takes (`validateImageName`).
fn image(context: &Context<'_>, at: &str, name: &str, artifact: &Value, merged: &mut Merged<'_>) {
    let (place, id) = (format!("{at}/id"), artifact["id"].as_str().unwrap_or_default());
    if id.trim().is_empty() {
        return merged.fault(&[&place, at], &format!("the artifact of `{name}` has no id"));
    }
    if artifact["type"] != "DOCKER" || !merged.wrote(&place) {
        return;
    }
    let image = Image::parse(id);
    if image.is_err() {
        merged.fault(
            &[&place],
            &format!("`{id}` is not the name of an image: no container of `{name}` would start"),
        );
    } else if image.is_ok_and(|image| image.digest.is_some()) && !context.release.digests() {
        let fact = format!("`{id}` has a digest, which no container of `{name}` takes before Hadoop 3.3");
        merged.fault(&[&place], &fact);
    }
}

fn constrained(at: &str, constraint: &Value, name: &str, posted: bool, merged: &mut Merged<'_>) {
    if !posted {
        let fact = "a constraint would be launched, and the server refuses it: add `placement-constraints` and `placement`";
        merged.fault(&[at], fact);
    }
    let tags = constraint["target_tags"].as_array().map_or(&[][..], Vec::as_slice);
    if let Some(tag) = tags.iter().filter_map(Value::as_str).find(|tag| *tag != name) {
        merged.fault(&[at], &format!("`{name}` is placed by `{tag}`: the engine knows its own tasks only"));
    }
}

/// Each file has a name of its own, and comes from somewhere.
fn all_files<'d>(context: &Context<'_>, place: &str, names: &mut BTreeSet<&'d str>, merged: &mut Merged<'d>) {
    for (at, file) in merged.items(place) {
        if file.get("visibility").is_some() && !context.release.visibility() {
            let fact =
                "`visibility` is not known before Hadoop 3.3: add `hadoop \"3.3\"` if the cluster is newer";
            merged.fault(&[&at], fact);
        }
        let name = file["dest_file"].as_str().unwrap_or_default();
        let ours = !merged.wrote(&format!("{at}/dest_file"));
        if let Some(changed) = merged.changed_below(&at).filter(|_| ours) {
            merged.changed(&changed, &format!("`{name}` is a file of the job: a patch cannot change it"));
        }
        if !names.insert(name) {
            merged.fault(&[&at], &format!("two files are called `{name}`"));
        }
        let source = file["src_file"].as_str().is_some_and(|source| !source.is_empty());
        let content = file["properties"].as_object().is_some_and(|content| !content.is_empty());
        if file["src_file"].as_str().is_some_and(|source| source.ends_with('/')) {
            merged.fault(
                &[&at],
                &format!("the source of `{name}` is a directory, which the engine does not copy"),
            );
        }
        let kind = file["type"].as_str().unwrap_or_default();
        let form = file["src_file"].as_str().and_then(Archive::of_name);
        if kind == "ARCHIVE" && !form.is_some_and(unpacks) {
            merged.fault(
                &[&at],
                &format!("`{name}` stays packed: it ends in none of `.zip`, `.tar`, `.tar.gz`, `.tgz`"),
            );
        }
        let copied = ["STATIC", "ARCHIVE"].contains(&kind);
        if copied && (!source || content) {
            merged.fault(&[&at], &format!("`{name}` is copied: it takes a `src_file` and no `properties`"));
        }
    }
}
