// The extension: starts `tfjob lsp`, and adds commands. It contains no rule of the language.
import * as vscode from "vscode";
import { Compiled } from "./compiled";
import { createJob } from "./create";
import { Explain } from "./explain";
import { Schemas } from "./schemas";
import { hasFiles, isOurs, Server } from "./server";
import { runLocally, Tasks } from "./tasks";

let server: Server | undefined;

/** Called by VS Code when a spec or a folder with specs is opened. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const running = new Server(context);
  server = running;
  const command = (name: string, act: (...all: never[]) => unknown) => vscode.commands.registerCommand(`tfjob.${name}`, act);
  context.subscriptions.push(
    running,
    new Schemas(context, running),
    new Compiled(context, running),
    new Explain(running),
    command("createJob", () => createJob(context, running)),
    command("run", (uri?: vscode.Uri) => runLocally(context, uri)),
    command("restartServer", () => running.restart()),
    command("showLog", () => running.showLog()),
    vscode.tasks.registerTaskProvider("tfjob", new Tasks(context)),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("tfjob.server") && running.isWanted && running.restart()),
    // The folder may have set the path of the program.
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.isWanted && running.restart()),
  );
  // VS Code activates the extension for all JSON and YAML files, most of which do not belong to the server.
  const start = () => {
    if (!running.isWanted) {
      // Not awaited: until the activation ends, VS Code shows a spinner.
      void running.restart();
    }
  };
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument((document) => isOurs(document) && start()));
  if (vscode.workspace.textDocuments.some(isOurs) || (await hasFiles())) {
    start();
  }
}

/** Called by VS Code before it closes. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
