// Tasks: `tfjob check`, `tfjob compile`, and `tfjob run`.
import * as path from "node:path";
import * as vscode from "vscode";
import * as program from "./program";
import { currentSpec } from "./specs";

interface Definition extends vscode.TaskDefinition {
  command: string;
  arguments?: string[];
}

/** Offers the tasks of each folder. */
export class Tasks implements vscode.TaskProvider {
  constructor(private readonly context: vscode.ExtensionContext) {}

  provideTasks(): vscode.Task[] {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return folders.flatMap((folder) =>
      ["check", "compile"].flatMap((command) => task(this.context, { type: "tfjob", command }, folder) ?? []),
    );
  }

  resolveTask(given: vscode.Task): vscode.Task | undefined {
    const folder = typeof given.scope === "object" ? given.scope : vscode.workspace.workspaceFolders?.[0];
    return task(this.context, given.definition as Definition, folder);
  }
}

/** Runs a spec locally, in a terminal. */
export async function runLocally(context: vscode.ExtensionContext, uri?: vscode.Uri): Promise<void> {
  const spec = uri ?? (await currentSpec());
  if (spec?.scheme !== "file") {
    return void vscode.window.showInformationMessage("tfjob: open a job spec to run it.");
  }
  // The menus are disabled, but another extension can call the command.
  if (!vscode.workspace.isTrusted) {
    return void vscode.window.showErrorMessage("tfjob: a job executes programs of the folder. Trust the folder to run it.");
  }
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === spec.toString());
  if (open?.isDirty && !(await open.save())) {
    return;
  }
  const folder = vscode.workspace.getWorkspaceFolder(spec);
  const run = task(context, { type: "tfjob", command: "run", arguments: [spec.fsPath] }, folder);
  if (!run) {
    return program.reportMissing();
  }
  run.name = `run ${path.basename(spec.fsPath)}`;
  await vscode.tasks.executeTask(run);
  // The walkthrough then marks its step as done.
  void vscode.commands.executeCommand("setContext", "tfjob.hasRun", true);
}

function task(context: vscode.ExtensionContext, definition: Definition, folder?: vscode.WorkspaceFolder): vscode.Task | undefined {
  const file = program.find(context);
  if (!file) {
    return undefined;
  }
  const isCheck = definition.command === "check";
  // In tasks.json, a user may write a string.
  const given = Array.isArray(definition.arguments) ? definition.arguments.map(String) : [];
  // Lines with links. The language server shows the same findings, so the task has no problem matcher.
  const format = isCheck && !given.some((one) => one.startsWith("--format")) ? ["--format", "short"] : [];
  const execution = new vscode.ProcessExecution(file, [definition.command, ...format, ...given], folder && { cwd: folder.uri.fsPath });
  const scope = folder ?? vscode.TaskScope.Workspace;
  const made = new vscode.Task(definition, scope, definition.command, "tfjob", execution, []);
  if (definition.command !== "run") {
    made.group = vscode.TaskGroup.Build;
  }
  return made;
}
