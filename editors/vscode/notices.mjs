// Prints the licenses of the packages in the extension: the modules that esbuild bundled, and the crates of the program.
//
//   node notices.mjs METAFILE [RUST-TARGET]     in the directory that contains node_modules; RUST-TARGET: the target of the program
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const [metafile, target] = process.argv.slice(2);

/** Returns the npm packages that a bundle contains. */
function modules() {
  const inputs = Object.keys(JSON.parse(fs.readFileSync(metafile, "utf8")).inputs);
  const directories = inputs.flatMap((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []);
  return [...new Set(directories)].map((directory) => {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(directory, "package.json"), "utf8"));
    return { name: `${name} ${version}`, license, directory };
  });
}

/** Returns the crates of other authors that the program contains. */
function crates() {
  const command = ["metadata", "--locked", "--format-version", "1", "--filter-platform", target];
  const { packages, resolve } = JSON.parse(execFileSync("cargo", command, { cwd: ROOT, maxBuffer: 1 << 28 }));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const found = new Set([resolve.root]);
  for (const id of found) {
    const linked = nodes.get(id).deps.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null));
    linked.forEach((one) => found.add(one.pkg));
  }
  const others = packages.filter(({ id, source }) => found.has(id) && source);
  return others.map(({ name, version, license, manifest_path }) => ({ name: `${name} ${version}`, license, directory: path.dirname(manifest_path) }));
}

const TEXT = /^(licen[cs]e|copying|copyright|notice|unlicense|thirdpartynotices)/i;

/** Returns the texts of the licenses in a directory, and of the C libraries in it. */
function texts(directory) {
  const libraries = path.join(directory, "c_src");
  const below = fs.existsSync(libraries) ? fs.readdirSync(libraries, { recursive: true }).map((name) => path.join("c_src", name)) : [];
  const names = [...fs.readdirSync(directory), ...below].filter((name) => TEXT.test(path.basename(name))).sort();
  const files = names.map((name) => path.join(directory, name)).filter((file) => fs.statSync(file).isFile());
  return [...new Set(files.map((file) => fs.readFileSync(file, "utf8").replaceAll("\r\n", "\n").trim()))];
}

const all = [...modules(), ...(target ? crates() : [])].sort((a, b) => (a.name < b.name ? -1 : 1));
// Many packages have the same text.
const users = new Map();
for (const { name, license, directory } of all) {
  const own = texts(directory);
  if (!own.length) throw new Error(`${directory} has no text of its license, ${license}`);
  for (const text of own) {
    users.set(text, [...(users.get(text) ?? []), name]);
  }
}
console.log(`This extension contains the following packages.\n\n${all.map(({ name, license }) => `${name} (${license})`).join("\n")}`);
for (const [text, names] of users) {
  console.log(`\n${"=".repeat(80)}\n${names.join(", ")}\n\n${text}`);
}
