//! An entry whose name is the empty string is an error, wherever names are chosen: it must not disappear silently.
use tfjob_lang::shape::{Object, Place, Shape, judge, read};
use tfjob_lang::sources::{Format, Sources};
use tfjob_lang::syntax::read_kdl;
use tfjob_targets::{CLUSTER_SHAPE, SHAPE};

/// Calls `found` with a document for each field whose names the user chooses; `wrap` puts text into the blocks around the object.
fn documents(object: &Object, wrap: &dyn Fn(String) -> String, found: &mut dyn FnMut(String)) {
    for field in object.fields {
        let name = field.name;
        match (field.place, &field.shape) {
            (Place::Pairs, Shape::Keyed(_)) => found(wrap(format!("{name} {{ \"\" \"z\"; }}"))),
            (Place::Named, Shape::Keyed(keyed)) => {
                found(wrap(format!("{name} \"\" {{ }}")));
                found(wrap(format!("{name} \"\" \"z\"")));
                if let Some(inner) = keyed.item.object() {
                    documents(inner, &|text| wrap(format!("{name} \"x\" {{ {text}; }}")), found);
                }
            }
            (Place::Targets, Shape::Object(targets)) => {
                for target in targets.fields {
                    let Some(inner) = target.shape.object() else { continue };
                    let of = target.name;
                    documents(inner, &|text| wrap(format!("{name} \"{of}\" {{ {text}; }}")), found);
                }
            }
            (_, shape) => {
                if let Some(inner) = shape.object() {
                    documents(inner, &|text| wrap(format!("{name} {{ {text}; }}")), found);
                }
            }
        }
    }
}

fn is_reported(shape: &Shape, text: &str) -> bool {
    let mut sources = Sources::default();
    let number = sources.add("a.tfjob.kdl", Format::Kdl, text);
    let (kdl, mut found) = read_kdl(sources.get(number));
    let (tree, of_reader) = read(&kdl, sources.get(number), shape);
    found.extend(of_reader);
    found.extend(judge(&tree, shape, &sources));
    found.iter().any(|d| d.is_error() && sources.slice(d.span()).contains("\"\""))
}

#[test]
fn an_empty_name_is_an_error() {
    for (shape, least) in [(&SHAPE, 30), (&*CLUSTER_SHAPE, 10)] {
        let mut all = Vec::new();
        documents(shape.object().expect("a file has fields"), &|text| text, &mut |text| all.push(text));
        assert!(all.len() >= least, "{}", all.len());
        let silent: Vec<_> = all.iter().filter(|text| !is_reported(shape, text)).collect();
        assert!(silent.is_empty(), "{silent:#?}");
    }
}
