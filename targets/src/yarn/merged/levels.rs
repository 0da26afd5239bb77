//! Properties and variables that stand both in the service and in a component: the component's win
//! (`Configuration.mergeFrom` of Hadoop 3.3.6).
use crate::patch::Merged;
use crate::yarn::context::{Context, Ending};
use crate::yarn::schema::DOMINANT;
use tfjob_lang::origin::pointer_step;
use tfjob_lang::requirement::{Lifecycle, Requirement};

/// Judges every value that a patch sets on either of the two levels.
pub fn judge(context: &Context<'_>, merged: &mut Merged<'_>) {
    for map in ["properties", "env"] {
        let service = format!("/configuration/{map}");
        for key in merged.at(&service).as_object().into_iter().flat_map(|map| map.keys()).collect::<Vec<_>>()
        {
            one(map, key, merged);
        }
    }
    for (at, component) in merged.items("/components") {
        let name = component["name"].as_str().unwrap_or_default();
        if let Some(id) = context.plan.roles.iter().position(|role| role.name.value == name) {
            dominant(&at, id, context, merged);
        }
    }
}

/// One key of the service's configuration.
fn one(map: &str, key: &str, merged: &mut Merged<'_>) {
    let step = pointer_step(key);
    let service = format!("/configuration/{map}/{step}");
    let common = merged.at(&service);
    let components: Vec<_> = merged.items("/components").collect();
    let own = components.iter().map(|(at, one)| (format!("{at}/configuration/{map}/{step}"), &one["name"]));
    let own: Vec<_> = own.filter(|(at, _)| !merged.at(at).is_null() && merged.at(at) != common).collect();
    match merged.line_of(&service) {
        None if own.len() == components.len() && own.iter().all(|(at, _)| !merged.wrote(at)) => {
            let fact = format!("`{key}` of the service has no effect: each component has its own");
            merged.changed(&service, &fact);
        }
        None => {}
        Some(line) => {
            for (at, name) in own {
                let name = name.as_str().unwrap_or_default();
                let fact = format!("the patch sets `{key}` of `{name}`, which wins over the service's");
                merged.contrary(&at, line, &fact, "remove it from the patch, or change the line of the spec");
            }
        }
    }
}

/// Another component than that of `success` whose end is the service's.
fn dominant(at: &str, id: usize, context: &Context<'_>, merged: &mut Merged<'_>) {
    let at = format!("{at}/configuration/properties/{}", pointer_step(DOMINANT));
    let success = context
        .plan
        .requirements
        .iter()
        .find(|required| matches!(required.requirement, Requirement::Lifecycle(Lifecycle::Success(_))));
    if let Some(success) =
        success.filter(|_| merged.at(&at) == "true" && context.ending() != Ending::Dominant(id))
    {
        let name = &context.role(id).name.value;
        let fact = format!("the patch ends the service with `{name}`, whatever `success` asks for");
        merged.contrary(&at, success.at, &fact, "remove the property from the patch, or change `success`");
    }
}
