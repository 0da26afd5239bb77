//! Completion at generated cursors: each field of each shape, and positions in the examples.
use crate::completion::accept;
use crate::editor::Editor;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::shape::{Object, Place, Shape};
use tfjob_lang::sources::{Format, Sources};
use tfjob_lang::syntax::{read_json, read_kdl, read_yaml};

fn labels(editor: &Editor, name: &str, marked: &str) -> Vec<String> {
    let label = |item: &Value| item["label"].as_str().unwrap_or_default().to_owned();
    items(editor, name, marked).iter().map(label).collect()
}

fn items(editor: &Editor, name: &str, marked: &str) -> Vec<Value> {
    let position = editor.open(name, marked);
    let list = editor.at("textDocument/completion", name, position);
    list["items"].as_array().cloned().unwrap_or_default()
}

/// Asks for each field of an object, and of the objects in it.
struct Places<'e> {
    editor: &'e Editor,
    name: &'e str,
    /// Objects that were asked for, each with its parent.
    done: Vec<(*const Object, *const Object)>,
    missing: Vec<String>,
    asked: usize,
}

impl Places<'_> {
    /// `text`: a text with the mark `@` for the entries of the object.
    fn object(&mut self, above: &Object, object: &'static Object, text: &str, head: &str) {
        if self.done.contains(&(std::ptr::from_ref(above), std::ptr::from_ref(object))) {
            return;
        }
        self.done.push((std::ptr::from_ref(above), std::ptr::from_ref(object)));
        let block = text.replace('@', &format!("{head} {{\n $0\n}}"));
        let block = if head.is_empty() { text.replace('@', "$0") } else { block };
        self.each(object, &block, |field| field.place.is_node().then(|| vec![field.name.to_owned()]));
        let line = text.replace('@', &format!("{head} $0"));
        if !head.is_empty() {
            self.each(object, &line, |field| {
                (field.place == Place::Prop).then(|| vec![field.name.to_owned()])
            });
        }
        for field in object.fields {
            let inner = if head.is_empty() {
                text.to_owned()
            } else {
                text.replace('@', &format!("{head} {{\n @\n}}"))
            };
            if field.place == Place::Prop {
                self.words(&field.shape, &text.replace('@', &format!("{head} {}=$0", field.name)));
            }
            if !field.place.is_node() {
                continue;
            }
            if field.place == Place::Targets {
                for target in field.shape.object().map_or(&[][..], |targets| targets.fields) {
                    let head = format!("{} \"{}\"", field.name, target.name);
                    if let Some(options) = target.shape.object() {
                        self.object(object, options, &inner, &head);
                    }
                }
            } else if let Some(block) = field.block(None) {
                let named = if field.place == Place::Named { " \"x\"" } else { "" };
                let head = format!("{}{named}", field.name);
                if let Some(first) = block.at(Place::Arg).next() {
                    self.words(&first.shape, &inner.replace('@', &format!("{head} $0")));
                }
                let arguments = " \"x\"".repeat(block.at(Place::Arg).count());
                self.object(object, block, &inner, &format!("{head}{arguments}"));
            } else {
                let shape = match &field.shape {
                    Shape::List(list) => &list.item,
                    shape => shape,
                };
                self.words(shape, &inner.replace('@', &format!("{} $0", field.name)));
            }
        }
    }

    fn each(
        &mut self,
        object: &Object,
        marked: &str,
        wanted: impl Fn(&tfjob_lang::shape::Field) -> Option<Vec<String>>,
    ) {
        let all = labels(self.editor, self.name, marked);
        for name in object.offered().filter_map(wanted).flatten() {
            self.asked += 1;
            if !all.contains(&name) {
                self.missing.push(format!("{name} at {marked}: {all:?}"));
            }
        }
    }

    /// Asks for the keywords of a value.
    fn words(&mut self, shape: &Shape, marked: &str) {
        let words: Vec<String> = match shape {
            Shape::Words(choices) => choices.iter().map(|choice| choice.word.to_owned()).collect(),
            Shape::Flag => vec!["#true".to_owned(), "#false".to_owned()],
            Shape::NumberOr(_, other) => return self.words(other, marked),
            _ => return,
        };
        let all = labels(self.editor, self.name, marked);
        self.asked += words.len();
        let missing = words.iter().filter(|word| !all.contains(word));
        self.missing.extend(missing.map(|word| format!("{word} at {marked}: {all:?}")));
    }
}

fn ask(name: &str, root: &'static Shape, text: &str, least: usize) {
    let editor = Editor::new(&[]);
    let mut places = Places { editor: &editor, name, done: Vec::new(), missing: Vec::new(), asked: 0 };
    let object = root.object().expect("an object");
    places.object(object, object, text, "");
    assert!(
        places.missing.is_empty(),
        "{} of {}:\n{}",
        places.missing.len(),
        places.asked,
        places.missing.join("\n")
    );
    assert!(places.asked >= least, "only {} fields were asked for", places.asked);
}

#[test]
fn each_field_of_a_job_is_offered_at_its_place() {
    ask("a.tfjob.kdl", tfjob_targets::REGISTRY.jobs, "@", 300);
}

#[test]
fn each_field_of_a_cluster_file_is_offered_at_its_place() {
    // The block of each target is offered in a cluster file without `target`.
    ask("a.cluster.kdl", (tfjob_targets::REGISTRY.clusters)(), "@", 60);
}

#[test]
fn each_field_of_a_project_file_is_offered_at_its_place() {
    ask("tfjob.kdl", (tfjob_targets::REGISTRY.projects)(), "@", 10);
}

/// Returns the texts of the examples.
fn examples() -> Vec<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = fs::read_dir(directory).expect("the examples").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.to_string_lossy().ends_with(".tfjob.kdl")).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("an example")).collect()
}

/// Returns the number of syntax errors of a text.
fn errors(format: Format, text: &str) -> usize {
    let mut sources = Sources::default();
    let number = sources.add("a", format, text);
    let source = sources.get(number);
    let found: Vec<Diagnostic> = match format {
        Format::Kdl | Format::Set => read_kdl(source).1,
        Format::Json => read_json(source).1,
        Format::Yaml => read_yaml(source).1,
    };
    found.iter().filter(|one| one.is_error()).count()
}

/// Number of positions in the examples of each format.
const POSITIONS: usize = 200;

/// Returns the next pseudorandom number.
fn random(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

/// Accepts each item at positions of a text, also if the text ends there. Returns the number of accepted items.
fn accept_all(name: &str, format: Format, text: &str, positions: usize, seed: &mut u64) -> usize {
    let editor = Editor::new(&[]);
    let mut accepted = 0;
    for number in 0..positions {
        let byte = text.floor_char_boundary(random(seed) % (text.len() + 1));
        let (before, after) = text.split_at(byte);
        // Every third text ends at the cursor. JSON and YAML have only one error for the rest of such a text.
        let after = if number % 3 == 0 && format == Format::Kdl { "" } else { after };
        let old = format!("{before}{after}");
        let count = errors(format, &old);
        for item in items(&editor, name, &format!("{before}$0{after}")) {
            let new = accept(&old, &item);
            let now = errors(format, &new);
            assert!(now <= count, "{} at {before}$0{after}\n=> {now} errors:\n{new}", item["label"]);
            accepted += 1;
        }
    }
    accepted
}

#[test]
fn an_accepted_item_causes_no_syntax_error() {
    let mut seed = 1;
    let all = examples();
    assert!(all.iter().all(|text| errors(Format::Kdl, text) == 0), "errors would be compared with errors");
    let accepted: usize = all
        .iter()
        .map(|text| accept_all("a.tfjob.kdl", Format::Kdl, text, POSITIONS / all.len() + 1, &mut seed))
        .sum();
    assert!(accepted > 500, "only {accepted} items");
}

/// A spec in YAML without brackets.
const BLOCKS: &str = "extends: base.tfjob.yaml
job:
  name: a # the name
  framework:
    name: pytorch
    version: \"2.1\"
  run:
    - python
    - train.py
    - \"{data.train}\"

  data:
    train:
      uri: pvc://claim/train
      at: /data
  env:
    LOG_LEVEL: info
  allow:
  - feature: gang
    because: small
  - feature: restart

    because: it resumes
  role:
    worker:
      count: 2
      resources:
        cpus: 4
        memory: 16GiB
      shell: |
        # not a comment
        exec python train.py

    master:
      resources:
        cpus: 4
        memory: 16GiB
";

/// Returns the block of the page about formats that begins with a mark.
fn page(mark: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let page = fs::read_to_string(path).expect("the page");
    page.split(mark).nth(1).and_then(|rest| rest.split("```").next()).expect("a block").to_owned()
}

#[test]
fn an_accepted_item_causes_no_syntax_error_in_json_and_yaml() {
    let mut seed = 2;
    accept_all("a.tfjob.yaml", Format::Yaml, BLOCKS, POSITIONS, &mut seed);
    let yaml = accept_all("a.tfjob.yaml", Format::Yaml, &page("```yaml\n"), POSITIONS, &mut seed);
    let json = accept_all("a.tfjob.json", Format::Json, &page("```json\n"), POSITIONS, &mut seed);
    assert!(yaml > 100 && json > 100, "only {yaml} and {json} items");
}

#[test]
fn random_texts_are_completed_without_a_panic() {
    let mut texts: Vec<(&str, String)> = examples().into_iter().map(|text| ("a.tfjob.kdl", text)).collect();
    texts.push(("a.tfjob.yaml", BLOCKS.to_owned()));
    texts.push(("a.tfjob.json", page("```json\n")));
    let parts = [
        "\"",
        "{",
        "}",
        "[",
        "]",
        ":",
        "=",
        "#",
        "\n",
        " ",
        "-",
        "'",
        "\\",
        "é",
        "\u{1f600}",
        "\"\"\"",
        "/*",
        "//",
        "{{",
        "\t",
        "$",
        "|",
    ];
    let (mut seed, editor) = (3, Editor::new(&[]));
    for number in 0..2_000 {
        let (name, text) = &texts[number % texts.len()];
        let mut text = text.clone();
        for _ in 0..=random(&mut seed) % 4 {
            let byte = text.floor_char_boundary(random(&mut seed) % (text.len() + 1));
            let end = text.floor_char_boundary((byte + random(&mut seed) % 9).min(text.len())).max(byte);
            text.replace_range(byte..end, parts[random(&mut seed) % parts.len()]);
        }
        let byte = text.floor_char_boundary(random(&mut seed) % (text.len() + 1));
        text.insert_str(byte, "$0");
        items(&editor, name, &text);
    }
}
