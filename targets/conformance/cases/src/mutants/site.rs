//! A field of a job that can be changed: of the job, a role, the block of a target, or a nested block.
use super::random::Random;
use serde_json::{Map, Value as Json};
use tfjob_lang::shape::{Field, Object, Place, Shape};
use tfjob_targets::SHAPE;

/// A field and its allowed values.
pub struct Site {
    /// The keys from the root of the document.
    pub steps: Vec<String>,
    /// The name of the field, or of the map of a named entry.
    pub field: &'static Field,
    /// The shape of the value.
    pub shape: &'static Shape,
    /// The role that contains the field.
    pub role: Option<String>,
    /// The target that is tested.
    pub target: &'static str,
}

/// Fields that are not changed: the structure of a job, and `allow`.
const KEPT: &[&str] = &["framework", "target", "allow", "extends"];

impl Site {
    /// Returns a random field of a document; of the blocks of targets only that of `target`.
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
        // Half of the time, descends into the existing value.
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

    /// Returns its keys as text.
    pub fn path(&self) -> String {
        self.steps[1..].join(".")
    }

    /// Returns the name of the enclosing field.
    pub fn name(&self) -> &str {
        self.field.name
    }

    /// Whether it is in the block of a target.
    pub fn is_targets(&self) -> bool {
        self.steps.iter().any(|step| step == "target") && self.field.place != Place::Targets
    }

    /// Sets the value; null removes it. Named entries are added to the existing ones.
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

/// Returns the value at these keys.
pub fn at<'d>(document: &'d Json, steps: &[String]) -> Option<&'d Json> {
    steps.iter().try_fold(document, |here, step| here.get(step))
}
