//! Checks of the whole service after the patches are merged.
mod levels;

use super::context::Context;
use super::patched::NETWORK;
use super::support::network::is_isolated;
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

/// Checks the merged service.
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
            merged.fault(
                &[&format!("{at}/name"), &at],
                &format!("component `{name}` is not a role of the job"),
            );
        }
        let artifact = &component["artifact"];
        if artifact.is_object() {
            image(context, &format!("{at}/artifact"), name, artifact, merged);
        }
        if let Some(role) = plan.roles.iter().find(|role| role.name.value == name) {
            hidden_gpus(&at, role, merged);
            nonempty_checkpoints(context, &at, merged);
            decommissioned(&at, component, role, merged);
        }
        all_files(context, &format!("{at}/configuration/files"), &mut files.clone(), merged);
        for (at, constraint) in merged.items(&format!("{at}/placement_policy/constraints")) {
            check_constraint(&at, constraint, name, posted, merged);
        }
    }
}

/// Warns of patched environment variables that the shim or the launch command overwrites before the program starts.
fn variables(context: &Context<'_>, lowered: &Lowered, merged: &mut Merged<'_>) {
    let list = |at: &str, merged: &Merged<'_>| {
        let map = merged.at(at).as_object().into_iter().flatten();
        let all = map.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()));
        all.collect::<BTreeMap<String, String>>()
    };
    for (at, component) in merged.items("/components") {
        let role = component["name"].as_str().unwrap_or_default();
        let of_component = format!("{at}/configuration/env");
        let places = ["/configuration/env", of_component.as_str()];
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
        let overwritten: Option<BTreeSet<String>> = contract.map(|(contract, _)| {
            contract_builder::lost_variables(contract, env, role, names).into_iter().cloned().collect()
        });
        let launch = component["launch_command"].as_str().unwrap_or_default();
        let exports = exports(launch);
        network(context, &at, component, merged);
        for (name, pointer) in patched {
            if overwritten.as_ref().unwrap_or(&exports).contains(&name) {
                let fact = format!(
                    "`{name}` has no effect: it is overwritten before the program of `{role}` starts"
                );
                merged.changed(&pointer, &fact);
            }
        }
    }
}

/// Reports GPUs that a patch reserves for a role without `gpus`. `CUDA_VISIBLE_DEVICES` is empty in such a role, so its programs
/// see no GPU.
fn hidden_gpus(at: &str, role: &Role, merged: &mut Merged<'_>) {
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
            "the patch reserves `{kind}` for `{}`, but without `gpus` its programs see no GPU (CUDA_VISIBLE_DEVICES is empty): write `{instead}` instead",
            role.name.value
        );
        merged.fault_in_patch(&[&value], &fact);
    }
}

/// Reports a patch that decommissions instances of the job. The service master would skip the indices of these instances, and
/// create instances with higher indices (`Component.createOneCompInstance`, Hadoop 3.3.6). Peers do not expect these indices.
fn decommissioned(at: &str, component: &Value, role: &Role, merged: &mut Merged<'_>) {
    let all =
        component["decommissioned_instances"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for instance in all {
        let number = instance.strip_prefix(&role.name.value).and_then(|rest| rest.strip_prefix('-'));
        if number
            .and_then(|number| number.parse::<u32>().ok())
            .is_some_and(|number| number < role.count.value)
        {
            let fact = format!(
                "YARN would skip `{instance}` and give a task of `{}` an index beyond `count`, which its peers do not know",
                role.name.value
            );
            merged.fault(&[&format!("{at}/decommissioned_instances")], &fact);
            return;
        }
    }
}

/// Checks the network of containers. If the property `docker.network` is set, the service master overwrites the environment
/// variable `NETWORK` with the value of the property (`DockerProviderService.processArtifact`). Otherwise, the variable determines
/// the network. A property of the component takes precedence over the same property of the service.
fn network(context: &Context<'_>, at: &str, component: &Value, merged: &mut Merged<'_>) {
    if !component["artifact"].is_object() {
        return;
    }
    let of_component = format!("{at}/configuration");
    let places = [of_component.as_str(), "/configuration"];
    let properties = places.map(|place| format!("{place}/properties/docker.network"));
    let variables = places.map(|place| format!("{place}/env/{NETWORK}"));
    let there = |pointer: &&String| merged.at(pointer).is_string();
    let stated = properties.iter().find(there);
    if let Some(pointer) = stated.or_else(|| variables.iter().find(there)) {
        let network = merged.at(pointer).as_str().unwrap_or_default();
        if is_isolated(context, network) {
            let role = component["name"].as_str().unwrap_or_default();
            let fact = format!(
                "containers of `{role}` in Docker's `{network}` network have no address that other nodes can reach"
            );
            merged.fault(&[pointer], &fact);
        }
    }
    // A variable that is not set is skipped. Otherwise, `changed` would report this variable, because a pointer without a value has
    // the origin of the parent map.
    let fact = format!(
        "`{NETWORK}` has no effect: YARN overwrites it with the property `docker.network`, which is generated from `network`"
    );
    for pointer in variables.iter().filter(|_| stated.is_some()) {
        if !merged.at(pointer).is_null() {
            merged.changed(pointer, &fact);
        }
    }
}

/// Reports a tmpfs inside the checkpoint directory, because the shim refuses a directory that is not empty. Other kinds of mounts
/// need no check: a patch cannot add them there.
fn nonempty_checkpoints(context: &Context<'_>, at: &str, merged: &mut Merged<'_>) {
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
            let fact = format!(
                "the tmpfs `{path}` is in the checkpoint directory `{folder}`, which must be empty when the job starts (`if-exists`)"
            );
            merged.changed(&place, &fact);
        }
    }
}

/// Returns the names of the environment variables that a launch command exports.
fn exports(launch: &str) -> BTreeSet<String> {
    let source = shlex::split(&format!("\"{launch}\"")).unwrap_or_default().join(" ");
    let words = shlex::split(&source).unwrap_or_default();
    let exported =
        words.into_iter().skip_while(|word| word != "export").skip(1).take_while(|word| word != "&&");
    exported.filter_map(|word| word.split_once('=').map(|(name, _)| name.to_owned())).collect()
}

/// Checks the name of an image by the rules of the NodeManager (`validateImageName`).
fn image(context: &Context<'_>, at: &str, name: &str, artifact: &Value, merged: &mut Merged<'_>) {
    let (place, id) = (format!("{at}/id"), artifact["id"].as_str().unwrap_or_default());
    if id.trim().is_empty() {
        return merged.fault(&[&place, at], &format!("the artifact of `{name}` has no `id`"));
    }
    if artifact["type"] != "DOCKER" || !merged.wrote(&place) {
        return;
    }
    let image = Image::parse(id);
    if image.is_err() {
        merged.fault(
            &[&place],
            &format!("`{id}` is not a valid image name: no container of `{name}` would start"),
        );
    } else if image.is_ok_and(|image| image.digest.is_some()) && !context.release.digests() {
        let fact = format!(
            "before Hadoop 3.3, the NodeManager refuses an image with a digest: with `{id}`, no container of `{name}` would start"
        );
        merged.fault(&[&place], &fact);
    }
}

fn check_constraint(at: &str, constraint: &Value, name: &str, posted: bool, merged: &mut Merged<'_>) {
    if !posted {
        let fact = "`yarn app -launch` cannot send this constraint: instead of the patch, write `placement { … }` in the role, and set `placement-constraints #true` in `target \"yarn\"`; tfjob then submits the service to the REST API";
        merged.fault_in_patch(&[at], fact);
    }
    let tags = constraint["target_tags"].as_array().map_or(&[][..], Vec::as_slice);
    if let Some(tag) = tags.iter().filter_map(Value::as_str).find(|tag| *tag != name) {
        let fact = format!("a constraint of `{name}` can refer only to its own tasks, not to `{tag}`");
        merged.fault(&[at], &fact);
    }
}

/// Checks the names, the types, and the sources of files.
fn all_files<'d>(context: &Context<'_>, place: &str, names: &mut BTreeSet<&'d str>, merged: &mut Merged<'d>) {
    for (at, file) in merged.items(place) {
        if file.get("visibility").is_some() && !context.release.visibility() {
            let fact = "`visibility` needs Hadoop 3.3: if the cluster runs Hadoop 3.3 or later, set `hadoop \"3.3\"`";
            merged.fault(&[&at], fact);
        }
        let name = file["dest_file"].as_str().unwrap_or_default();
        let ours = !merged.wrote(&format!("{at}/dest_file"));
        if let Some(changed) = merged.changed_below(&at).filter(|_| ours) {
            merged
                .changed(&changed, &format!("`{name}` is generated by tfjob, and a patch cannot change it"));
        }
        if !names.insert(name) {
            merged.fault(&[&at], &format!("two files have the same `dest_file`: `{name}`"));
        }
        let source = file["src_file"].as_str().is_some_and(|source| !source.is_empty());
        let content = file["properties"].as_object().is_some_and(|content| !content.is_empty());
        if file["src_file"].as_str().is_some_and(|source| source.ends_with('/')) {
            merged
                .fault(&[&at], &format!("`src_file` of `{name}` is a directory, and YARN copies only files"));
        }
        let kind = file["type"].as_str().unwrap_or_default();
        let form = file["src_file"].as_str().and_then(Archive::of_name);
        if kind == "ARCHIVE" && !form.is_some_and(unpacks) {
            merged.fault(
                &[&at],
                &format!("`{name}` would not be unpacked: its source ends in none of `.zip`, `.tar`, `.tar.gz`, `.tgz`"),
            );
        }
        let copied = ["STATIC", "ARCHIVE"].contains(&kind);
        if copied && (!source || content) {
            merged.fault(
                &[&at],
                &format!("`{name}` has type `{kind}`, which needs a `src_file` and no `properties`"),
            );
        }
    }
}
