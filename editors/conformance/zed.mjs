// Checks the queries of the extension for Zed with the grammar that it names: node zed.mjs ROOT
import { Language, Parser, Query } from "web-tree-sitter";
import fs from "node:fs";
import path from "node:path";

const root = process.argv[2];
const queries = path.join(root, "editors/zed/languages/tfjob");
await Parser.init();
const kdl = await Language.load("node_modules/tree-sitter-kdl/tree-sitter-kdl.wasm");
const parser = new Parser();
parser.setLanguage(kdl);
const file = path.join(root, "docs/everything.tfjob.kdl");
const tree = parser.parse(fs.readFileSync(file, "utf8"));
const expected = {
  "highlights.scm": ["keyword role", "string \"worker\"", "property count", "number 8", "boolean #true", "comment // Every"],
  "outline.scm": ["context role", "name \"worker\""],
  "brackets.scm": ["open {", "close }"],
  "indents.scm": ["end }"],
};
let failed = tree.rootNode.hasError;
for (const [name, captures] of Object.entries(expected)) {
  const query = new Query(kdl, fs.readFileSync(path.join(queries, name), "utf8"));
  const seen = query.captures(tree.rootNode).map((one) => `${one.name} ${one.node.text}`);
  const missing = captures.filter((one) => !seen.some((other) => other.startsWith(one)));
  failed ||= missing.length > 0;
  console.log(missing.length ? `FAIL  ${name}: no capture \`${missing.join("`, `")}\`` : `ok    ${name}: ${seen.length} captures`);
}
process.exit(failed ? 1 : 0);
