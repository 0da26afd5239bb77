//! Checks of properties and environment variables that both the service and a component set. The value of the component takes
//! precedence (`Configuration.mergeFrom`, Hadoop 3.3.6).
use crate::patch::Merged;
use crate::yarn::context::{Context, Ending};
use crate::yarn::schema::DOMINANT;
use tfjob_lang::origin::pointer_step;
use tfjob_lang::requirement::{Lifecycle, Requirement};

/// Checks every property and environment variable that the service sets: a component may override it. Also checks which component
/// ends the service.
pub fn judge(context: &Context<'_>, merged: &mut Merged<'_>) {
    for map in ["properties", "env"] {
        let service = format!("/configuration/{map}");
        for key in merged.at(&service).as_object().into_iter().flat_map(|map| map.keys()).collect::<Vec<_>>()
        {
            check_key(map, key, merged);
        }
    }
    for (at, component) in merged.items("/components") {
        let name = component["name"].as_str().unwrap_or_default();
        if let Some(id) = context.plan.roles.iter().position(|role| role.name.value == name) {
            dominant(&at, id, context, merged);
        }
    }
}

/// Checks one key that the configuration of the service sets. `map`: `properties` or `env`.
fn check_key(map: &str, key: &str, merged: &mut Merged<'_>) {
    let step = pointer_step(key);
    let service = format!("/configuration/{map}/{step}");
    let common = merged.at(&service);
    let components: Vec<_> = merged.items("/components").collect();
    let overrides = components
        .iter()
        .map(|(at, component)| (format!("{at}/configuration/{map}/{step}"), &component["name"]));
    let overrides: Vec<_> =
        overrides.filter(|(at, _)| !merged.at(at).is_null() && merged.at(at) != common).collect();
    match merged.line_of(&service) {
        None if overrides.len() == components.len() && overrides.iter().all(|(at, _)| !merged.wrote(at)) => {
            let fact = format!("`{key}` of the service has no effect: each component overrides it");
            merged.changed(&service, &fact);
        }
        None => {}
        Some(line) => {
            for (at, name) in overrides {
                let name = name.as_str().unwrap_or_default();
                let fact =
                    format!("the patch sets `{key}` of `{name}`, which overrides the value of the service");
                merged.contrary(
                    &at,
                    line,
                    &fact,
                    "remove it from the patch, or change this line of the spec",
                );
            }
        }
    }
}

/// Reports a patch that lets a component end the service, if `success` in the spec selects another component.
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
        let fact = format!("the patch ends the service when `{name}` finishes, which contradicts `success`");
        merged.contrary(&at, success.at, &fact, "remove the property from the patch, or change `success`");
    }
}
