// One start of VS Code (code-server) in a new directory, and a browser that shows it.
import { chromium } from "playwright-core";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { Editor } from "./editor.mjs";

// Keeps VS Code quiet, offline, and the same in each session.
const SETTINGS = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.reduceMotion": "on",
  "workbench.tips.enabled": false,
  "editor.minimap.enabled": false,
  "editor.cursorBlinking": "solid",
  "editor.autoClosingBrackets": "never",
  "editor.autoClosingQuotes": "never",
  "editor.formatOnSave": true,
  "security.workspace.trust.startupPrompt": "never",
  "terminal.integrated.gpuAcceleration": "off",
};
const BROWSER = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export class Session {
  /** Installs the extension, starts the server, and opens the folder. */
  static async start(given) {
    const session = new Session();
    session.began = Date.now();
    session.name = given.name.replaceAll(" ", "-");
    session.shots = path.resolve(given.shots);
    session.failed = 0;
    session.outside = new Set();
    session.home = fs.mkdtempSync(path.join(os.tmpdir(), "tfjob-vscode-"));
    fs.mkdirSync(session.shots, { recursive: true });
    const documents = { ...given.documents, ...given.files?.(session) };
    for (const [name, text] of Object.entries(documents)) {
      fs.mkdirSync(path.dirname(session.path(name)), { recursive: true });
      fs.writeFileSync(session.path(name), text);
    }
    const user = path.join(session.home, "user");
    const settings = { ...SETTINGS, "tfjob.server.path": given.program ? path.resolve(given.program) : "", ...given.settings };
    // code-server is a remote machine for the page, so settings of the machine, such as paths, come from `Machine`.
    session.settings = (changed) => {
      for (const kind of ["User", "Machine"]) {
        fs.mkdirSync(path.join(user, kind), { recursive: true });
        fs.writeFileSync(path.join(user, kind, "settings.json"), JSON.stringify({ ...settings, ...changed }));
      }
    };
    session.settings({});
    session.port = await freePort();
    const config = path.join(session.home, "config.yaml");
    fs.writeFileSync(config, `bind-addr: 127.0.0.1:${session.port}\nauth: none\ncert: false\n`);
    const entry = path.join(given["code-server"], "out/node/entry.js");
    const base = [entry, "--config", config, "--user-data-dir", user, "--extensions-dir", path.join(session.home, "extensions")];
    const env = { ...process.env, HOME: session.home, ...given.env };
    execFileSync(process.execPath, [...base, "--install-extension", path.resolve(given.vsix)], { env, stdio: "pipe" });
    const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-proxy"];
    const trust = given.isTrusted === false ? [] : ["--disable-workspace-trust"];
    session.log = path.join(session.home, "server.log");
    const log = fs.openSync(session.log, "w");
    // Its own process group, so that the extension host and the language server end with it.
    session.server = spawn(process.execPath, [...base, ...quiet, ...trust], { env, stdio: ["ignore", log, log], detached: true });
    await until(async () => (await fetch(`http://127.0.0.1:${session.port}/healthz`)).ok, 30_000);
    session.context = await chromium.launchPersistentContext(path.join(session.home, "browser"), {
      executablePath: given.chromium,
      headless: true,
      viewport: { width: 1280, height: 620 },
      args: BROWSER,
    });
    session.page = await session.context.newPage();
    session.page.on("request", (request) => {
      const url = new URL(request.url());
      // A service worker of VS Code answers the requests of webviews for local files, which have this host.
      const isLocal = url.hostname === "127.0.0.1" || url.hostname.endsWith(".vscode-resource.vscode-cdn.net");
      if (url.protocol.startsWith("http") && !isLocal) session.outside.add(url.host);
    });
    session.editor = new Editor(session.page);
    session.check = session.check.bind(session);
    return session;
  }

  /** Returns the path of a file in the opened folder. */
  path(name) {
    return path.join(this.home, "work", name);
  }

  /** Loads the page with one file of the folder. */
  async open(name) {
    if (this.page.url() !== "about:blank") await this.editor.command("File: Save All Files", true).catch(() => {});
    const payload = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${this.port}${this.path(name)}`]]);
    const folder = this.path("").replace(/\/$/, "");
    await this.page.goto(`http://127.0.0.1:${this.port}/?folder=${folder}&payload=${encodeURIComponent(payload)}`);
    await this.editor.opened(name);
  }

  /** Runs one check, and takes a picture. */
  async check(name, act) {
    const begin = Date.now();
    let result;
    try {
      const seen = await act();
      result = `ok    ${name}${seen ? `: ${String(seen).replace(/\s+/g, " ").trim().slice(0, 110)}` : ""}`;
    } catch (error) {
      this.failed += 1;
      result = `FAIL  ${name}: ${String(error.message).split("\n")[0]}`;
    }
    console.log(`${((Date.now() - begin) / 1000).toFixed(1).padStart(5)} s  ${result}`);
    await this.page.waitForTimeout(300); // Pop-ups fade in.
    await this.page.screenshot({ path: path.join(this.shots, `${this.name}-${name.replaceAll(/\W+/g, "-")}.png`) });
    await this.page.keyboard.press("Escape");
  }

  /** Waits until a file of the folder contains a text. */
  async written(name, text) {
    await until(() => fs.readFileSync(this.path(name), "utf8").includes(text), 20_000);
    return `${name}: ${text}`;
  }

  /** Waits until a number of language servers run in the folder, and still do a second later. Needs /proc. */
  async servers(number) {
    const folder = fs.realpathSync(this.path(""));
    const running = () => fs.readdirSync("/proc").filter((id) => isServer(id, folder)).length;
    await until(() => running() === number, 20_000);
    await this.page.waitForTimeout(1_000);
    if (running() !== number) throw new Error(`${running()} run`);
    return `${number} running`;
  }

  /** Ends all processes. Returns the number of failed checks. */
  async stop() {
    if (this.outside.size) {
      this.failed += 1;
      console.log(`FAIL  requests to other hosts: ${[...this.outside]}`);
    }
    await this.context.close();
    if (this.failed) {
      const lines = fs.readFileSync(this.log, "utf8").split("\n");
      console.log(lines.filter((line) => /tfjob/.test(line)).slice(-10).join("\n"));
    }
    const ended = new Promise((resolve) => this.server.once("exit", resolve));
    process.kill(-this.server.pid);
    await ended;
    fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    console.log(`${((Date.now() - this.began) / 1000).toFixed(1).padStart(5)} s  ${this.name}: ${this.failed ? `${this.failed} failed` : "passed"}`);
    return this.failed;
  }
}

/** Returns whether a process is a language server that was started in a folder. */
function isServer(id, folder) {
  try {
    return fs.readlinkSync(`/proc/${id}/cwd`) === folder && fs.readFileSync(`/proc/${id}/cmdline`, "utf8").endsWith("\0lsp\0");
  } catch {
    return false;
  }
}

async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until a condition holds. Exceptions count as false. */
async function until(holds, timeout) {
  const end = Date.now() + timeout;
  for (;;) {
    let last = "the condition does not hold";
    try {
      if (await holds()) return;
    } catch (error) {
      last = error.message;
    }
    if (Date.now() > end) throw new Error(`not within ${timeout / 1000} s: ${last}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
