//! Parameters of requests and notifications, read field by field: deserializers of the types of LSP would double the code of the
//! server.
use crate::documents::parse_uri;
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use serde_json::Value;

/// The parameters of a request or a notification.
///
/// # Errors
/// The methods return an error if a parameter is missing or has another type. The text names the parameter.
#[derive(Debug, Clone)]
pub struct Params(pub Value);

impl Params {
    /// Returns the URI of the document.
    pub fn uri(&self) -> Result<Uri, String> {
        self.uri_at("/textDocument/uri")
    }

    /// Returns the URI at a JSON pointer.
    pub fn uri_at(&self, pointer: &str) -> Result<Uri, String> {
        parse_uri(self.text(pointer)?).map_err(|error| format!("`{}`: {error}", name(pointer)))
    }

    /// Returns the version of the document. `None` if the editor sends none, or null, as older editors do.
    pub fn version(&self) -> Result<Option<i32>, String> {
        let version = self.0.pointer("/textDocument/version").filter(|version| !version.is_null());
        let number = |version: &Value| i32::try_from(version.as_i64()?).ok();
        version.map(|version| number(version).ok_or_else(|| invalid("/textDocument/version"))).transpose()
    }

    /// Returns the position in the document.
    pub fn position(&self) -> Result<Position, String> {
        self.0.get("position").and_then(position).ok_or_else(|| invalid("/position"))
    }

    /// Returns the positions in the document.
    pub fn positions(&self) -> Result<Vec<Position>, String> {
        let all = self.0.get("positions").and_then(Value::as_array);
        let all = all.and_then(|all| all.iter().map(position).collect());
        all.ok_or_else(|| invalid("/positions"))
    }

    /// Returns the range in the document.
    pub fn range(&self) -> Result<Range, String> {
        self.0.get("range").and_then(range).ok_or_else(|| invalid("/range"))
    }

    /// Returns the changes of the document, in order.
    pub fn changes(&self) -> Result<Vec<TextDocumentContentChangeEvent>, String> {
        let all = self.0.get("contentChanges").and_then(Value::as_array);
        let all = all.and_then(|all| all.iter().map(change).collect());
        all.ok_or_else(|| invalid("/contentChanges"))
    }

    /// Returns the string at a JSON pointer.
    pub fn text(&self, pointer: &str) -> Result<&str, String> {
        self.optional_text(pointer).ok_or_else(|| match &self.0 {
            Value::Object(_) | Value::Null => invalid(pointer),
            Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                "the parameters are not an object".to_owned()
            }
        })
    }

    /// Returns the string at a JSON pointer. `None` if there is no string.
    #[must_use]
    pub fn optional_text(&self, pointer: &str) -> Option<&str> {
        self.0.pointer(pointer)?.as_str()
    }
}

/// Returns the dotted name of a JSON pointer: `textDocument.uri`.
fn name(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}

fn invalid(pointer: &str) -> String {
    format!("`{}` is missing or invalid", name(pointer))
}

fn position(value: &Value) -> Option<Position> {
    let number = |name: &str| u32::try_from(value.get(name)?.as_u64()?).ok();
    Some(Position::new(number("line")?, number("character")?))
}

fn range(value: &Value) -> Option<Range> {
    Some(Range::new(position(value.get("start")?)?, position(value.get("end")?)?))
}

fn change(value: &Value) -> Option<TextDocumentContentChangeEvent> {
    let range = match value.get("range").filter(|range| !range.is_null()) {
        Some(value) => Some(range(value)?),
        None => None,
    };
    let text = value.get("text")?.as_str()?.to_owned();
    Some(TextDocumentContentChangeEvent { range, range_length: None, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_missing_or_wrong_parameter_is_named() {
        let params = Params(json!({
            "textDocument": {"uri": "untitled:a", "version": 3},
            "position": {"line": 1, "character": -1},
            "range": {"start": {"line": 1, "character": 2}, "end": {"line": 3, "character": 4}},
            "contentChanges": [{"range": null, "text": "x"}, {"range": {}, "text": "y"}],
        }));
        assert_eq!(params.uri().map(|uri| uri.as_str().to_owned()), Ok("untitled:a".to_owned()));
        assert_eq!(params.version(), Ok(Some(3)));
        assert_eq!(params.range(), Ok(Range::new(Position::new(1, 2), Position::new(3, 4))));
        assert_eq!(params.position(), Err("`position` is missing or invalid".to_owned()));
        assert_eq!(params.positions(), Err("`positions` is missing or invalid".to_owned()));
        // A wrong range must not replace the whole document.
        assert_eq!(params.changes(), Err("`contentChanges` is missing or invalid".to_owned()));
        assert_eq!(params.text("/textDocument/x"), Err("`textDocument.x` is missing or invalid".to_owned()));
        let list = Params(json!([{"uri": "untitled:a"}]));
        assert_eq!(list.uri_at("/uri").map(drop), Err("the parameters are not an object".to_owned()));
    }
}
