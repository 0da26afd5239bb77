// The compiled preview: a virtual document with one artifact of a spec for one target. It follows the edits of the spec.
import * as vscode from "vscode";
import { Navigation } from "./navigation";
import type { Server } from "./server";
import { currentSpec } from "./specs";

/** The scheme of the virtual documents. */
export const SCHEME = "tfjob-compiled";

/** What a virtual document shows: an artifact (`path`) of the spec `spec` for `target`. Without a project, `environment` is empty. */
export interface Shown {
  spec: string;
  target: string;
  environment: string;
  path: string;
}

interface Result {
  files: { path: string; text: string }[];
  errors: string[];
  report: string;
  unchecked: string[];
  environments: string[];
}

interface Target {
  name: string;
  description: string;
  configured: boolean;
  environments: string[];
}

/** Time after an edit until the previews are compiled again, in milliseconds. */
const PAUSE = 120;

/** The same after a change on disk: the client tells the server about it after 250 ms. */
const DISK_PAUSE = 500;

/** The files that affect a preview. */
const PATTERNS = ["**/*.{tfjob,cluster}.{kdl,json,yaml,yml}", "**/tfjob.kdl"];

/** Returns what a preview shows. Undefined for other documents, and for a URI of this scheme that the extension did not create. */
export function shownBy(uri: vscode.Uri): Shown | undefined {
  if (uri.scheme !== SCHEME) {
    return undefined;
  }
  try {
    const shown = JSON.parse(uri.query) as Shown;
    const parts = [shown.spec, shown.target, shown.environment, shown.path];
    return parts.every((one) => typeof one === "string") ? shown : undefined;
  } catch {
    return undefined;
  }
}

function uriOf(shown: Shown): vscode.Uri {
  const spec = vscode.Uri.parse(shown.spec).path.split("/").pop();
  const of = shown.environment ? `${shown.target} (${shown.environment})` : shown.target;
  // The title of a tab is the last part of the path. The language of the document depends on its ending.
  const parts = (shown.path || "errors.txt").split("/");
  const title = `${of}: ${parts.pop()}`;
  const path = ["", spec, ...parts, title].join("/");
  return vscode.Uri.from({ scheme: SCHEME, path, query: JSON.stringify(shown) });
}

/** The previews, their commands, and the text above the first line of each. */
export class Compiled implements vscode.Disposable, vscode.TextDocumentContentProvider, vscode.CodeLensProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly lenses = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  readonly onDidChangeCodeLenses = this.lenses.event;
  private readonly disposables: vscode.Disposable[];
  /** The last result of each spec, target, and environment. */
  private readonly results = new Map<string, Result>();
  /** The last text of each artifact, shown while the spec has errors. */
  private readonly texts = new Map<string, string>();
  /** The last names of the environments of each spec. */
  private readonly environments = new Map<string, string[]>();
  private pause: NodeJS.Timeout | undefined;

  constructor(private readonly context: vscode.ExtensionContext, private readonly server: Server) {
    this.disposables = [
      new Navigation(server, (shown) => this.numberOf(shown)),
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, this),
      vscode.commands.registerCommand("tfjob.showCompiled", (uri?: unknown, target?: unknown) => this.show(uri, target)),
      vscode.commands.registerCommand("tfjob.showOtherFile", () => this.showOther()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.edited(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.edited(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.closed(uri)),
      server.onDidChangeState(() => server.isRunning && this.compileSoon()),
      ...PATTERNS.flatMap((pattern) => this.watch(pattern)),
      this.changed,
      this.lenses,
    ];
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.disposables.forEach((one) => one.dispose());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const shown = shownBy(uri);
    if (!shown) {
      return "";
    }
    const result = await this.compile(shown);
    this.results.set(keyOf(shown), result);
    this.lenses.fire();
    const file = result.files.find((one) => one.path === shown.path);
    if (file) {
      this.texts.set(uri.toString(), file.text);
      return file.text;
    }
    return this.texts.get(uri.toString()) ?? result.report;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const shown = shownBy(document.uri);
    const result = shown && this.results.get(keyOf(shown));
    if (!result) {
      return [];
    }
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (title: string, command: string) => new vscode.CodeLens(top, { title, command });
    const count = result.errors.length;
    if (count) {
      const more = count > 1 ? ` and ${count - 1} more` : "";
      const note = this.texts.has(document.uri.toString()) ? "not up to date: " : "";
      return [lens(`$(error) ${note}${result.errors[0]}${more}`, "workbench.action.problems.focus")];
    }
    const path = shown.path;
    const number = result.files.findIndex((one) => one.path === path) + 1;
    if (!number) {
      return [lens(`$(info) ${path || "the list of errors"} is no longer current · show another file`, "tfjob.showOtherFile")];
    }
    const others = result.files.length > 1 ? [lens(`${number} of ${result.files.length} files · show another`, "tfjob.showOtherFile")] : [];
    const unchecked = result.unchecked.map((one) => lens(`$(warning) ${one}`, "workbench.action.problems.focus"));
    return [...unchecked, ...others];
  }

  /** Asks for a target, and opens its first artifact next to the spec. */
  private async show(uri: unknown, given: unknown): Promise<void> {
    const spec = uri instanceof vscode.Uri ? uri : await currentSpec();
    if (!spec || shownBy(spec)) {
      return void vscode.window.showInformationMessage("tfjob: open a job spec first.");
    }
    const isGiven = typeof given === "string";
    const all = await this.targets(spec).catch((error) => {
      if (isGiven) {
        return [];
      }
      throw error;
    });
    const target = isGiven ? given : await this.pickTarget(all);
    if (!target) {
      return;
    }
    const shown: Shown = { spec: spec.toString(), target, environment: "", path: "" };
    let result = await this.compile(shown);
    if (result.environments.length > 1) {
      const environment = await pickEnvironment(result.environments, all.find(({ name }) => name === target)?.environments ?? []);
      if (environment === undefined) {
        return this.forget(shown.spec);
      }
      shown.environment = environment;
      result = await this.compile(shown);
    } else {
      // The title names it, because its settings may replace values of the spec.
      shown.environment = result.environments[0] ?? "";
    }
    const files = result.files;
    await open({ ...shown, path: files[0]?.path ?? "" }, vscode.ViewColumn.Beside, true);
    // The walkthrough then marks its step as done.
    void vscode.commands.executeCommand("setContext", "tfjob.hasCompiled", true);
  }

  /** Asks for another artifact of the same compilation. */
  private async showOther(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const shown = editor && shownBy(editor.document.uri);
    if (!shown) {
      return;
    }
    const { files } = await this.compile(shown);
    const items = files.map(({ path, text }) => ({ label: path, description: path === shown.path ? "shown" : `${text.split("\n").length - 1} lines` }));
    const picked = await vscode.window.showQuickPick(items, { title: `Files for ${shown.target}` });
    if (picked) {
      await open({ ...shown, path: picked.label }, editor.viewColumn, false);
    }
  }

  private async targets(spec: vscode.Uri): Promise<Target[]> {
    // The server knows open documents.
    const document = await vscode.workspace.openTextDocument(spec);
    return this.server.request("tfjob/targets", { uri: document.uri.toString() });
  }

  /** Asks for a target. The last one is the first in the list. */
  private async pickTarget(all: Target[]): Promise<string | undefined> {
    const last = this.context.workspaceState.get<string>("target");
    const targets = all.map((target) => ({ label: target.name, description: usesOf(target), detail: target.description }));
    const rank = (item: { label: string; description?: string }) => (item.label === last ? 0 : item.description ? 1 : 2);
    targets.sort((a, b) => rank(a) - rank(b));
    const picked = await vscode.window.showQuickPick(targets, { title: "Show Compiled for…", placeHolder: "Target" });
    await this.context.workspaceState.update("target", picked?.label ?? last);
    return picked?.label;
  }

  private async compile(shown: Shown): Promise<Result> {
    const { spec, target, environment } = shown;
    let result: Result;
    try {
      // The server compiles open documents.
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(spec));
      const uri = document.uri.toString();
      const number = this.numberOf(shown);
      const compiled = (environment: number) => this.server.request<Result>("tfjob/compiled", { uri, target, environment });
      // An edit of the project file can remove environments.
      result = await compiled(number).catch((error) => (number ? compiled(0) : Promise.reject(error)));
      this.environments.set(spec, result.environments);
      // An edit of the project file can change the order.
      if (this.numberOf(shown) !== number) {
        result = await compiled(this.numberOf(shown));
      }
      if (environment && !result.environments.includes(environment)) {
        throw new Error(`no environment ${environment} of the project file contains this spec`);
      }
    } catch (error) {
      const message = (error as Error).message;
      result = { files: [], errors: [message], report: `error: ${message}\n`, unchecked: [], environments: [] };
    }
    return result;
  }

  private numberOf({ spec, environment }: Shown): number {
    return Math.max(0, this.environments.get(spec)?.indexOf(environment) ?? 0);
  }

  /** Drops the texts of a closed preview, and its result if no other preview shows a file of it. */
  private closed(uri: vscode.Uri): void {
    this.texts.delete(uri.toString());
    const shown = shownBy(uri);
    const key = shown && keyOf(shown);
    const others = vscode.workspace.textDocuments.filter((one) => one.uri.toString() !== uri.toString());
    const isShown = others.map((one) => shownBy(one.uri)).some((other) => other && keyOf(other) === key);
    if (shown && key && !isShown) {
      this.results.delete(key);
      this.forget(shown.spec);
    }
  }

  /** Drops the environments of a spec without previews. */
  private forget(spec: string): void {
    if (!vscode.workspace.textDocuments.some((one) => !one.isClosed && shownBy(one.uri)?.spec === spec)) {
      this.environments.delete(spec);
    }
  }

  /** Compiles the previews again after a file was changed on disk, for example by Git. */
  private watch(pattern: string): vscode.Disposable[] {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const changes = [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete];
    return [watcher, ...changes.map((event) => event(() => this.compileSoon(DISK_PAUSE)))];
  }

  /** Compiles all previews again after an edit of a spec. Any spec may be a base of the shown one. */
  private edited(document: vscode.TextDocument): void {
    if (!/^tfjob/.test(document.languageId) && !/\.(tfjob|cluster)\.(json|ya?ml)$/.test(document.uri.path)) {
      return;
    }
    this.compileSoon();
  }

  /** Compiles all previews again after the last change. */
  private compileSoon(pause = PAUSE): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      const previews = vscode.workspace.textDocuments.filter((one) => one.uri.scheme === SCHEME);
      previews.forEach((one) => this.changed.fire(one.uri));
    }, pause);
  }
}

function keyOf(shown: Shown): string {
  return JSON.stringify([shown.spec, shown.target, shown.environment]);
}

/** Shows an artifact in a column, and selects a range of it. */
export async function open(shown: Shown, viewColumn: vscode.ViewColumn | undefined, preserveFocus: boolean, selection?: vscode.Range): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(shown));
  await vscode.window.showTextDocument(document, { viewColumn, preserveFocus, preview: true, selection });
}

/** Says where a target is used. Undefined if it is used nowhere. */
function usesOf({ configured, environments }: Target): string | undefined {
  const inProject = environments.length ? [`target of ${environments.join(", ")}`] : [];
  return [...(configured ? ["configured in the spec"] : []), ...inProject].join("; ") || undefined;
}

/** Asks for an environment. `own`: those that have the target. They are the first. */
async function pickEnvironment(names: string[], own: string[]): Promise<string | undefined> {
  const items = names.map((label) => ({ label, description: own.includes(label) ? undefined : "not a target of this environment" }));
  items.sort((a, b) => Number(a.description !== undefined) - Number(b.description !== undefined));
  return (await vscode.window.showQuickPick(items, { title: "Environment of the Project" }))?.label;
}
