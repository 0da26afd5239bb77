//! Structured documents as YAML that every reader reads alike.
use tfjob_lang::origin::Document;

/// The documents in order, each under its own `---`.
///
/// Plain text only where no YAML 1.1 or 1.2 reader could take it for something else; no block scalars, whose first tab
/// some readers lose.
///
/// # Panics
/// Never for documents of ours: JSON values are YAML.
#[must_use]
pub fn write(documents: &[Document]) -> String {
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    let texts = documents.iter().map(|d| {
        serde_saphyr::to_string_with_options(&d.value, options.clone())
            .expect("every JSON value is a YAML value")
    });
    let texts: Vec<String> = texts.collect();
    if let [only] = texts.as_slice() { only.clone() } else { format!("---\n{}", texts.join("---\n")) }
}
