//! A text with placeholders.

/// A text to insert: with the placeholders of LSP, and without.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// The text with placeholders such as `${1:4}`.
    pub snippet: String,
    /// The text with the values of the placeholders.
    pub plain: String,
    holes: usize,
    ended: bool,
}

impl Draft {
    /// Creates a draft without placeholders.
    #[must_use]
    pub fn of(text: impl Into<String>) -> Self {
        let mut draft = Self::default();
        draft.text(&text.into());
        draft
    }

    /// Returns whether there are placeholders.
    #[must_use]
    pub const fn has_holes(&self) -> bool {
        self.holes > 0 || self.ended
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.snippet.push_str(&text.replace('\\', "\\\\").replace('$', "\\$"));
        self.plain.push_str(text);
    }

    /// Adds a placeholder with a value.
    pub fn hole(&mut self, value: &str) {
        self.holes += 1;
        let number = self.holes;
        self.snippet.push_str(&match value {
            "" => format!("${number}"),
            value => format!("${{{number}:{}}}", escaped(value)),
        });
        self.plain.push_str(value);
    }

    /// Adds a placeholder with several values, the first of which is selected.
    pub fn choice(&mut self, values: &[&str]) {
        let [first, _, ..] = values else { return self.hole(values.first().copied().unwrap_or_default()) };
        self.holes += 1;
        let number = self.holes;
        let values: Vec<String> =
            values.iter().map(|value| escaped(value).replace('|', "\\|").replace(',', "\\,")).collect();
        self.snippet.push_str(&format!("${{{number}|{}|}}", values.join(",")));
        self.plain.push_str(first);
    }

    /// Sets the place of the cursor after all placeholders are filled in.
    pub fn end(&mut self) {
        if !self.ended {
            self.snippet.push_str("$0");
        }
        self.ended = true;
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}
