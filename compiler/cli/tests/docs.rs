//! The console blocks of the README and of the pages beside it are what the program prints.
#[test]
fn documents_show_what_is_printed() {
    trycmd::TestCases::new().case("README.md").case("docs/clusters.md").case("docs/run.md");
}
