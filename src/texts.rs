//! Long texts that few commands print: the pages of error codes, and the statements of the evidence. The program contains them
//! compressed, and the first use decompresses all of them. So a check that prints no page does not decompress any text.
use miniz_oxide::inflate::decompress_to_vec;
use std::sync::LazyLock;
use tfjob_lang::diagnostic::Code;

/// For each text its name, U+001F, the text, and U+001E, compressed with DEFLATE. The build script writes this file.
static COMPRESSED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/texts.deflate"));

/// Returns the page of an error code, in Markdown.
pub fn page(code: &Code) -> &'static str {
    named(code.name)
}

/// Returns one line per section of the evidence: `PAGE#ANCHOR`, a tab, and the first sentence.
pub fn evidence() -> &'static str {
    named("evidence")
}

/// Returns the text with this name; an empty text if there is none. A test ensures that each text exists.
fn named(wanted: &str) -> &'static str {
    ALL.iter().find(|(name, _)| *name == wanted).map(|(_, text)| *text).unwrap_or_default()
}

/// All texts, by name.
static ALL: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let bytes = decompress_to_vec(COMPRESSED).expect("the build script compressed these bytes");
    let all = String::from_utf8(bytes).expect("the build script compressed a text").leak();
    all.split('\u{1e}').filter_map(|text| text.split_once('\u{1f}')).collect()
});

#[cfg(test)]
mod tests {
    use super::{COMPRESSED, evidence, page};

    #[test]
    fn each_code_has_the_page_of_its_crate() {
        let codes = [tfjob_lang::codes::ALL, tfjob_targets::codes::ALL].concat();
        let pages = [tfjob_lang::codes::PAGES, tfjob_targets::codes::PAGES].concat();
        assert_eq!(codes.len(), pages.len());
        for (code, (name, text)) in codes.iter().zip(pages) {
            assert_eq!((code.name, page(code)), (name, text));
        }
        assert!(evidence().lines().all(|line| line.contains('\t')), "{}", evidence());
    }

    #[test]
    fn the_texts_are_compressed() {
        let pages = [tfjob_lang::codes::PAGES, tfjob_targets::codes::PAGES].concat();
        let size: usize = pages.iter().map(|(_, text)| text.len()).sum::<usize>() + evidence().len();
        assert!(COMPRESSED.len() * 4 < size, "{} bytes of {size}", COMPRESSED.len());
    }
}
