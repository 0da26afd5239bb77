// Starts and stops `tfjob lsp`, and shows its state.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as vscode from "vscode";
import { CloseAction, LanguageClient, State, type DocumentSelector, type LanguageClientOptions } from "vscode-languageclient/node";
import * as program from "./program";
import { ENDINGS } from "./specs";

const KDL: DocumentSelector = [
  ...["tfjob", "tfjob-cluster", "tfjob-project"].map((language) => ({ scheme: "file", language })),
  { scheme: "untitled", language: "tfjob" },
];
const YAML = { scheme: "file", pattern: "**/*.{tfjob,cluster}.{yaml,yml}" };
const JSON_FORM = { scheme: "file", pattern: "**/*.{tfjob,cluster}.json" };

/** The documents of the server. A JSON or YAML file belongs to it because of its name. */
const DOCUMENTS: DocumentSelector = [...KDL, YAML, JSON_FORM];

/** Returns whether a document belongs to the server. */
export function isOurs(document: vscode.TextDocument): boolean {
  return vscode.languages.match(DOCUMENTS as vscode.DocumentSelector, document) > 0;
}

/** Returns whether the opened folders on disk contain a file of the server. */
export async function hasFiles(): Promise<boolean> {
  const patterns = foldersOnDisk().flatMap((folder) => PATTERNS.map((pattern) => new vscode.RelativePattern(folder, pattern)));
  const found = patterns.map((pattern) => vscode.workspace.findFiles(pattern, undefined, 1));
  return (await Promise.all(found)).some((files) => files.length > 0);
}

/** Features that VS Code or the extension for YAML also has. Two formatters would make VS Code ask the user which one to use. */
const NARROWED: [string, DocumentSelector][] = [
  ["textDocument/formatting", KDL],
  ["textDocument/rangeFormatting", KDL],
  ["textDocument/documentSymbol", [...KDL, YAML]],
];

/** Files of the server. */
const PATTERNS = [`**/*.{tfjob,cluster}.{${ENDINGS.join(",")}}`, "**/tfjob.kdl"];

/** The language server. At most one runs. */
export class Server implements vscode.Disposable {
  private readonly log = vscode.window.createOutputChannel("tfjob", { log: true });
  private readonly status = vscode.languages.createLanguageStatusItem("tfjob", DOCUMENTS as vscode.DocumentSelector);
  private readonly stateChanged = new vscode.EventEmitter<void>();
  /** Occurs when the server starts or ends. */
  readonly onDidChangeState = this.stateChanged.event;
  private client: LanguageClient | undefined;
  private process: ChildProcess | undefined;
  /** Resolves after the last start or stop that was requested. Each begins after the one before it. */
  private last: Promise<void> = Promise.resolve();
  /** Whether the server was started, even if it failed. */
  isWanted = false;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.status.name = "tfjob";
    this.status.command = { command: "tfjob.showLog", title: "Show Log" };
  }

  get isRunning(): boolean {
    return this.client?.state === State.Running;
  }

  /** Starts the server, or starts it again. */
  restart(): Promise<void> {
    this.isWanted = true;
    return this.next(() => this.start());
  }

  stop(): Promise<void> {
    return this.next(() => this.end());
  }

  /** Sends a request of `tfjob lsp` that is not part of LSP. Rejects if the server reports an error, or is not running. */
  async request<T>(method: string, parameters: object): Promise<T> {
    // A command may come before the first document.
    await (this.isWanted ? this.last : this.restart());
    if (!this.client) {
      throw new Error("the language server is not running");
    }
    return this.client.sendRequest<T>(method, parameters);
  }

  showLog(): void {
    this.log.show();
  }

  dispose(): void {
    this.stateChanged.dispose();
    this.status.dispose();
    this.log.dispose();
  }

  /** Runs a start or a stop after those that were requested before. */
  private next(act: () => Promise<void>): Promise<void> {
    // The start of a wrong program may never end.
    if (this.client?.state === State.Starting) {
      this.client = undefined;
      this.process?.kill("SIGKILL");
    }
    this.last = this.last.then(act).catch((error) => this.log.error(String(error)));
    return this.last;
  }

  private async start(): Promise<void> {
    await this.end();
    if (vscode.workspace.workspaceFolders?.length && !foldersOnDisk().length) {
      return this.show("needs a folder on disk", vscode.LanguageStatusSeverity.Warning);
    }
    const command = program.find(this.context);
    if (!command) {
      this.show("no tfjob program", vscode.LanguageStatusSeverity.Error);
      // Not awaited, like the message below: the next start does not wait for an answer of the user.
      return void program.reportMissing();
    }
    this.log.info(`starting ${command} lsp`);
    const client = new LanguageClient("tfjob", "tfjob", () => this.spawn(command), this.options());
    const handler = client.createDefaultErrorHandler();
    client.clientOptions.errorHandler = {
      error: (...all) => handler.error(...all),
      // A server that was replaced does not restart.
      closed: () => (client === this.client ? handler.closed() : { action: CloseAction.DoNotRestart, handled: true }),
    };
    for (const [method, selector] of NARROWED) {
      const feature = client.getFeature(method as "textDocument/formatting");
      const initialize = feature.initialize.bind(feature);
      feature.initialize = (capabilities) => initialize(capabilities, selector);
    }
    client.onDidChangeState(({ newState }) => {
      if (client === this.client && newState === State.Running) {
        this.show(`tfjob ${client.initializeResult?.serverInfo?.version ?? ""}`, vscode.LanguageStatusSeverity.Information, command);
      } else if (client === this.client && newState === State.Stopped) {
        this.show("tfjob lsp has ended", vscode.LanguageStatusSeverity.Error, command);
      }
      // The walkthrough then marks its first step as done.
      void vscode.commands.executeCommand("setContext", "tfjob.isRunning", this.isRunning);
      this.stateChanged.fire();
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(String(error));
      this.process?.kill("SIGKILL");
      if (client === this.client) {
        this.client = undefined;
        void this.reportFailure(command);
      }
    }
  }

  /** Stops the client, and kills its process if that is still running. */
  private async end(): Promise<void> {
    const { client, process } = this;
    this.client = undefined;
    // A client that has not started rejects `stop`.
    await client?.stop().catch(() => {});
    await client?.dispose().catch(() => {});
    process?.kill("SIGKILL");
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: DOCUMENTS,
      diagnosticCollectionName: "tfjob",
      initializationOptions: { targets: vscode.workspace.getConfiguration("tfjob").get("targets", []) },
      outputChannel: this.log,
      middleware: {
        provideCompletionItem: withLists,
        // A change of the path of the program stops the server, which then reads its settings again.
        workspace: { didChangeConfiguration: (sections, next) => next(sections).catch((error) => this.log.info(String(error))) },
      },
      // The server itself requests the events of files, so the client does not watch them too.
      synchronize: { configurationSection: "tfjob" },
    };
  }

  private async spawn(command: string): Promise<ChildProcess> {
    const cwd = foldersOnDisk().map((one) => one.uri.fsPath).find((one) => fs.existsSync(one));
    const child = spawn(command, ["lsp"], { cwd });
    this.process = child;
    await once(child, "spawn");
    return child;
  }

  private async reportFailure(command: string): Promise<void> {
    this.show("tfjob lsp does not start", vscode.LanguageStatusSeverity.Error, command);
    if (await vscode.window.showErrorMessage(`tfjob: ${command} lsp does not start.`, "Show Log")) {
      this.log.show();
    }
  }

  private show(text: string, severity: vscode.LanguageStatusSeverity, detail?: string): void {
    this.status.text = text;
    this.status.severity = severity;
    this.status.detail = detail;
  }
}

/** An item after which the server expects another one: its placeholder is empty, or a part of a setting is missing. */
type Continued = vscode.CompletionItem & { data?: { continues?: boolean } };

/** Opens the list again after such an item is accepted. LSP has no property for this. */
const withLists: NonNullable<NonNullable<LanguageClientOptions["middleware"]>["provideCompletionItem"]> = async (document, position, context, token, next) => {
  const found = await next(document, position, context, token);
  const items = (Array.isArray(found) ? found : (found?.items ?? [])) as Continued[];
  for (const item of items.filter(({ data }) => data?.continues)) {
    item.command = { command: "editor.action.triggerSuggest", title: "Show the next choices" };
  }
  return found;
};

function foldersOnDisk(): vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((one) => one.uri.scheme === "file");
}
