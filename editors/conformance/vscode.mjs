// Opens VS Code (code-server) in headless Chromium with the packed extension, and checks what a user sees.
//
//   node vscode.mjs --code-server DIR --vsix FILE --bundle FILE --program FILE --shots DIR [--chromium FILE] [--only WORDS]
//
// Exits with 0 if all checks pass. --bundle: the package for this platform, which contains the program. --shots: directory for a picture of each check. --only: runs only sessions with these words in the name.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { FILES, projectOf, SPEC } from "./vscode/documents.mjs";
import { Session } from "./vscode/session.mjs";

const { values: options } = parseArgs({
  options: {
    "code-server": { type: "string" },
    vsix: { type: "string" },
    bundle: { type: "string" },
    program: { type: "string" },
    shots: { type: "string" },
    chromium: { type: "string", default: "/usr/bin/chromium" },
    only: { type: "string", default: "" },
  },
});

/** What a user does in a folder that is trusted. */
async function trusted(session) {
  await session.open("mnist.tfjob.kdl");
  await findings(session);
  await completion(session);
  await preview(session);
  await navigation(session);
  await otherForms(session);
  await programs(session);
}

async function findings({ check, editor }) {
  await check("language", () => editor.status("tfjob job"));
  await check("squiggle", () => editor.sees(".squiggly-error"));
  await check("message of a finding", async () => {
    await editor.goto(7, 21);
    return editor.hover("unknown property");
  });
  await check("hover", async () => {
    await editor.goto(8, 30);
    return editor.hover("Memory");
  });
  await check("colors", () => editor.differ("job", "mnist", "version", "8"));
  await check("quick fix", async () => {
    await editor.goto(7, 21);
    await editor.pickAction(/count/);
    await editor.loses(".squiggly-error");
    return editor.line(/count=4/);
  });
}

async function completion({ check, editor }) {
  await check("completion of entries", async () => {
    await editor.goto(8, 99);
    await editor.type("\nrest");
    return editor.complete("restart", /restart/);
  });
  await check("completion of values", async () => {
    await editor.undoLine();
    await editor.type('\nrestart "');
    const seen = await editor.offers("on-failure");
    await editor.undoLine();
    return seen;
  });
  await check("completion of references", async () => {
    await editor.goto(6, 99);
    await editor.type(' "--x={da');
    const seen = await editor.offers("data.train");
    await editor.press("Escape");
    for (let i = 0; i < 9; i++) await editor.press("Backspace");
    return seen;
  });
}

/** The compiled preview, after the spec was saved. */
async function preview(session) {
  const { check, editor } = session;
  await check("format on save", async () => {
    await editor.press("Control+s");
    await editor.line(/^ {8}queue "ml"/);
    return session.written("mnist.tfjob.kdl", '\n        queue "ml"\n');
  });
  await check("compiled preview", async () => {
    await editor.command("tfjob: Show Compiled for");
    await editor.pick("yarn");
    return editor.other(/"name": "mnist"/);
  });
  await check("preview highlights the lines of the cursor", async () => {
    await editor.goto(7, 26);
    return editor.marked(/"number_of_containers": 4/);
  });
  await check("preview follows an edit", async () => {
    await editor.goto(7, 26);
    await editor.press("Backspace");
    await editor.type("6");
    return editor.other(/"number_of_containers": 6/);
  });
  await check("preview keeps the last text while there are errors", async () => {
    await editor.goto(8, 20);
    await editor.type("x");
    await editor.scrollOther();
    await editor.other(/"name": "mnist"/);
    return editor.other(/not up to date: unknown property/);
  });
  await check("preview after the correction", async () => {
    await editor.goto(8, 21);
    await editor.press("Backspace");
    await editor.goto(7, 26);
    return editor.marked(/"number_of_containers": 6/);
  });
}

/** Between the spec, the open preview, other files, and pages. */
async function navigation({ check, editor }) {
  await check("from the spec to the compiled line", async () => {
    await editor.goto(12, 10);
    await editor.goto(11, 16);
    await editor.command("tfjob: Go to Compiled Lines");
    return editor.cursor(/"queue": "ml"/);
  });
  await check("from the compiled line to the spec", async () => {
    await editor.command("tfjob: Go to Spec");
    return editor.cursor(/queue "ml"/);
  });
  await check("another compiled file", async () => {
    await editor.goto(7, 26);
    await editor.command("tfjob: Show Compiled for");
    await editor.pick("spark");
    await editor.other(/1 of \d+ files/);
    await editor.focusOther();
    await editor.command("tfjob: Show Another Compiled File");
    await editor.pick("job.json");
    await editor.other(/^\{/);
    return editor.other(/5 of \d+ files/);
  });
  await check("explain", async () => {
    await editor.goto(8, 12);
    await editor.command("tfjob: Explain");
    return editor.markdown(/resources/i);
  });
}

/** JSON, YAML, and cluster files. */
async function otherForms(session) {
  const { check, editor } = session;
  await session.open("data.tfjob.json");
  await check("JSON: squiggle and message", async () => {
    await editor.sees(".squiggly-error, .squiggly-warning");
    await editor.goto(7, 30);
    const seen = await editor.hover("unknown key");
    if (seen.includes("Property cuont is not allowed")) throw new Error("the JSON Schema reports the same");
    return seen;
  });
  await check("JSON: explain", async () => {
    await editor.command("tfjob: Explain");
    return editor.markdown(/unknown-key/i);
  });
  await session.open("data.tfjob.yaml");
  await check("YAML: squiggle and message", async () => {
    await editor.sees(".squiggly-error");
    await editor.goto(8, 9);
    return editor.hover("cuont");
  });
  await session.open("east.cluster.kdl");
  await check("cluster file", async () => {
    await editor.status("tfjob cluster");
    await editor.sees(".squiggly-error");
    await editor.goto(3, 7);
    return editor.hover("qeue");
  });
}

/** Programs that the editor starts. */
async function programs(session) {
  const { check, editor } = session;
  await session.open("hello.tfjob.kdl");
  await check("run locally", async () => {
    await editor.status("tfjob job");
    await editor.command("tfjob: Run Locally");
    return session.written("ran.txt", "it ran");
  });
  await check("task", async () => {
    await editor.command("Tasks: Run Build Task");
    await editor.pick("tfjob: check");
    return editor.terminal(/east\.cluster\.kdl:3:5: error/);
  });
  await check("one server after two restarts", async () => {
    await editor.command("tfjob: Restart Language Server");
    await editor.command("tfjob: Restart Language Server", true);
    return session.servers(1);
  });
}

/** Pictures in light colors. */
async function light(session) {
  const { check, editor } = session;
  await session.open("mnist.tfjob.kdl");
  await check("squiggle", () => editor.sees(".squiggly-error"));
  await check("hover", async () => {
    await editor.goto(8, 30);
    return editor.hover("Memory");
  });
  await check("compiled preview", async () => {
    await editor.goto(7, 21);
    await editor.pickAction(/count/);
    await editor.goto(7, 26);
    await editor.command("tfjob: Show Compiled for");
    await editor.pick("yarn");
    return editor.marked(/"number_of_containers": 4/);
  });
  await check("walkthrough", async () => {
    await editor.command("Welcome: Open Walkthrough");
    await editor.pick("Get Started with tfjob");
    return editor.text(/Create a job/);
  });
}

/** A folder that is not trusted, such as the repository of another person. */
async function restricted(session) {
  const { check, editor } = session;
  await session.open("mnist.tfjob.kdl");
  await check("restricted mode", () => editor.text(/Restricted Mode/));
  await check("squiggle without the program that the folder names", () => editor.sees(".squiggly-error"));
  await check("compiled preview", async () => {
    await editor.goto(7, 21);
    await editor.pickAction(/count/);
    await editor.command("tfjob: Show Compiled for");
    await editor.pick("yarn");
    return editor.other(/"name": "mnist"/);
  });
  await check("no messages", () => editor.isQuiet());
  await session.open("hello.tfjob.kdl");
  // Commands are enabled until the page has loaded the state of trust.
  await editor.text(/Restricted Mode/);
  await check("no local run", async () => {
    const offered = await editor.commands("tfjob: Run Locally");
    if (offered) throw new Error(`offered: ${offered}`);
    return "the command is not offered";
  });
  await check("no new job", async () => {
    const offered = await editor.commands("tfjob: Create Job");
    if (offered) throw new Error(`offered: ${offered}`);
    return "the command is not offered";
  });
  await check("no tasks", async () => {
    await editor.command("Tasks: Run Build Task");
    return editor.text(/running tasks requires that some of the files/);
  });
  await check("the folder's program did not run", () => {
    if (fs.existsSync(session.path("attack.txt"))) throw new Error("attack.txt exists");
    return "no file was written";
  });
}

/** A project file with two environments. */
async function environments(session) {
  const { check, editor } = session;
  await session.open("mnist.tfjob.kdl");
  await check("preview of an environment", async () => {
    await editor.status("tfjob job");
    await editor.command("tfjob: Show Compiled for");
    await editor.pick("yarn");
    await editor.pick("prod");
    await editor.other(/"name": "mnist"/);
    await editor.goto(7, 26);
    return editor.other(/"cpus": 7/);
  });
  await check("preview after a change of the order of the environments", async () => {
    fs.writeFileSync(session.path("tfjob.kdl"), projectOf({ prod: 5, staging: 3 }));
    await session.page.waitForTimeout(1_000);
    await editor.goto(1, 99);
    await editor.type("x");
    await editor.goto(7, 26);
    return editor.other(/"cpus": 5/);
  });
}

/** The program is missing. */
async function missing(session) {
  const { check, editor } = session;
  await session.open("mnist.tfjob.kdl");
  await check("message about the missing program", () => editor.text(/is not on the PATH|there is no such file/));
  await check("message about a relative path", async () => {
    session.settings({ "tfjob.server.path": "bin/tfjob" });
    return editor.text(/must be an absolute path/);
  });
  await check("colors without a server", () => editor.differ("job", "mnist", "version", "8"));
  await session.open("data.tfjob.json");
  await check("JSON Schema without a server", async () => {
    await editor.sees(".squiggly-warning, .squiggly-error");
    await editor.goto(7, 30);
    return editor.hover("Property cuont is not allowed");
  });
  await check("server after the setting was corrected", async () => {
    session.settings({ "tfjob.server.path": path.resolve(options.program) });
    await editor.sees(".squiggly-error");
    await editor.goto(7, 30);
    return editor.hover("unknown key");
  });
}

/** The program is not in a setting. */
async function found(session) {
  await session.open("mnist.tfjob.kdl");
  await session.check("squiggle", () => session.editor.sees(".squiggly-error"));
}

const attack = (session) => {
  const file = path.join(session.home, "attack");
  fs.writeFileSync(file, `#!/bin/sh\ntouch "${session.path("attack.txt")}"\n`, { mode: 0o755 });
  return { ".vscode/settings.json": JSON.stringify({ "tfjob.server.path": file }) };
};
// VS Code takes the variables of a login shell.
const onPath = (session) => {
  fs.mkdirSync(path.join(session.home, "programs"));
  fs.symlinkSync(path.resolve(options.program), path.join(session.home, "programs/tfjob"));
  fs.writeFileSync(path.join(session.home, ".bash_profile"), 'PATH=$HOME/programs:$PATH\n');
};
const inProject = () => ({ "tfjob.kdl": projectOf({ staging: 2, prod: 7 }), "mnist.tfjob.kdl": SPEC.replace("cuont", "count") });
const SESSIONS = [
  { name: "trusted", act: trusted },
  { name: "environments", act: environments, files: inProject },
  { name: "light", act: light, settings: { "workbench.colorTheme": "Default Light Modern" } },
  { name: "restricted", act: restricted, isTrusted: false, files: attack },
  { name: "program on the PATH", act: found, program: "", env: { SHELL: "/bin/bash" }, files: onPath },
  { name: "program of the package", act: found, program: "", vsix: options.bundle, env: { PATH: path.dirname(process.execPath) } },
  { name: "missing program", act: missing, settings: { "tfjob.server.path": "/nowhere/tfjob" } },
];

/** Runs the checks of a session, and returns how many failed. */
async function run(one) {
  const session = await Session.start({ ...options, ...one, documents: FILES });
  let failed = 0;
  try {
    await one.act(session);
  } catch (error) {
    failed = 1;
    console.log(`FAIL  ${one.name}: ${error.stack}`);
  } finally {
    failed += await session.stop();
  }
  return failed;
}

let failed = 0;
for (const one of SESSIONS.filter(({ name }) => name.includes(options.only))) {
  console.log(`-- ${one.name}`);
  // A browser on a busy machine may miss a time limit once. A fault fails twice.
  const first = await run(one);
  if (first) console.log(`-- ${one.name}, again`);
  failed += first && (await run(one));
}
console.log(failed ? `${failed} failed` : "all passed");
process.exit(failed ? 1 : 0);
