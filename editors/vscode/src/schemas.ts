// The JSON Schemas of `*.tfjob.json` and `*.cluster.json`, which VS Code uses while the server does not run. The server shows more, so a
// schema in addition to it would show all findings, completions, and hovers twice.
import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Server } from "./server";

const SCHEME = "tfjob-schema";

/** Provides the documents that `jsonValidation` in package.json names. */
export class Schemas implements vscode.Disposable, vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registered: vscode.Disposable;

  constructor(private readonly context: vscode.ExtensionContext, private readonly server: Server) {
    this.registered = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      server.onDidChangeState(() => {
        const open = vscode.workspace.textDocuments.filter((one) => one.uri.scheme === SCHEME);
        open.forEach((one) => this.changed.fire(one.uri));
      }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    if (this.server.isRunning) {
      return "{}";
    }
    return fs.readFile(this.context.asAbsolutePath(path.join("schemas", path.basename(uri.path))), "utf8");
  }

  dispose(): void {
    this.registered.dispose();
  }
}
