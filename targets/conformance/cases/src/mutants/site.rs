//! A place of a job that can be changed: a field of the job, of a role, of a target's block, or of a block in them.
use super::random::Random;
use serde_json::{Map, Value as Json};
use tfjob_lang::shape::{Field, Object, Place, Shape};
use tfjob_targets::SHAPE;

/// Where, and what may stand there.
pub struct Site {
    /// The keys from the document down.
    pub steps: Vec<String>,
    /// The field, or for a thing by a name of the user's its map's.
    pub field: &'static Field,
    /// What may stand there.
    pub shape: &'static Shape,
    /// The role in whose block it is.
    pub role: Option<String>,
    /// The target that is asked.
    pub target: &'static str,
}

/// The structure of a job, which changes its meaning as a whole, is left alone; so is what the gate is told to bear.
const KEPT: &[&str] = &["framework", "target", "allow", "extends"];

impl Site {
    /// Any place of a document; of the targets' blocks that of `target` only.
    pub fn any(random: &mut Random, document: &Json, target: &'static str) -> Option<Self> {
        let job = SHAPE.object()?.field("job")?.shape.object()?;
        let roles: Vec<String> = document["job"]["role"].as_object()?.keys().cloned().collect();
        let mut steps = vec!["job".to_owned()];
        let (mut object, mut role) = (job, None);
        if !random.once_in(3) {
            let name = random.pick(&roles).clone();
            steps.extend(["role".to_owned(), name.clone()]);
            object = item(job.field("role")?)?;
            role = Some(name);
        }
        if random.once_in(12) {
            steps.extend(["target".to_owned(), target.to_owned()]);
            object = object.field("target")?.shape.object()?.field(target)?.shape.object()?;
        }
        let fields: Vec<&Field> = object.fields.iter().filter(|f| !KEPT.contains(&f.name)).collect();
        if fields.is_empty() {
            return None;
        }
        let mut field = *random.pick(&fields);
        steps.push(field.name.to_owned());
        let mut shape = &field.shape;
        // Into what stands there, half of the times.
        while let Some(map) = at(document, &steps).and_then(Json::as_object).filter(|map| !map.is_empty()) {
            let empty = matches!(shape, Shape::Object(object) if object.fields.is_empty());
            if empty || random.once_in(2) {
                break;
            }
            match shape {
                Shape::Object(object) => {
                    field = random.pick(object.fields);
                    steps.push(field.name.to_owned());
                    shape = &field.shape;
                }
                Shape::Keyed(keyed) => {
                    let keys: Vec<&String> = map.keys().collect();
                    steps.push((*random.pick(&keys)).clone());
                    shape = &keyed.item;
                }
                _ => break,
            }
        }
        Some(Self { steps, field, shape, role, target })
    }

    /// Its keys, for people.
    pub fn path(&self) -> String {
        self.steps[1..].join(".")
    }

    /// The name of the field that holds it.
    pub fn name(&self) -> &str {
        self.field.name
    }

    /// Whether it lies in a target's block.
    pub fn is_targets(&self) -> bool {
        self.steps.iter().any(|step| step == "target") && self.field.place != Place::Targets
    }

    /// Puts a value there; null takes it away. Things by name are added to those that are there.
    pub fn put(&self, document: &mut Json, value: Json) {
        let (last, above) = self.steps.split_last().expect("a site has a step");
        let mut here = document;
        for step in above {
            if !here[step.as_str()].is_object() {
                here[step.as_str()] = Json::Object(Map::new());
            }
            here = &mut here[step.as_str()];
        }
        let Some(map) = here.as_object_mut() else { return };
        match (map.get_mut(last), value) {
            (_, Json::Null) => drop(map.shift_remove(last)),
            (Some(Json::Object(old)), Json::Object(new)) if matches!(self.shape, Shape::Keyed(_)) => {
                old.extend(new)
            }
            (_, value) => drop(map.insert(last.clone(), value)),
        }
    }
}

fn item(field: &'static Field) -> Option<&'static Object> {
    match &field.shape {
        Shape::Keyed(keyed) => keyed.item.object(),
        _ => None,
    }
}

/// What stands at these keys.
pub fn at<'d>(document: &'d Json, steps: &[String]) -> Option<&'d Json> {
    steps.iter().try_fold(document, |here, step| here.get(step))
}
