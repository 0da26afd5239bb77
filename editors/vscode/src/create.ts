// "Create Job": runs `tfjob init`.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import * as program from "./program";
import type { Server } from "./server";

/** Asks for a strategy and a file, creates a starter spec, and opens it. The job has the name of the file. */
export async function createJob(context: vscode.ExtensionContext, server: Server): Promise<void> {
  // The menus are disabled, but another extension can call the command.
  if (!vscode.workspace.isTrusted) {
    return void vscode.window.showErrorMessage("tfjob: creating a job writes to the folder. Trust the folder to create one.");
  }
  const file = program.find(context);
  if (!file) {
    return program.reportMissing();
  }
  const strategy = await pickStrategy(server);
  if (!strategy) {
    return;
  }
  const start = vscode.workspace.workspaceFolders?.[0]?.uri;
  const spec = await vscode.window.showSaveDialog({
    title: "Create Job: New File *.tfjob.kdl",
    saveLabel: "Create",
    // The dialog adds the ending. It selects a name only up to its last dot.
    defaultUri: start && vscode.Uri.joinPath(start, "job"),
    filters: { "Job spec": ["tfjob.kdl"] },
  });
  if (!spec) {
    return;
  }
  // A virtual workspace has its own dialog, and `tfjob init` writes only to the local disk.
  if (spec.scheme !== "file") {
    return void vscode.window.showErrorMessage(`tfjob: a job can be created only in a local folder, not in ${spec.scheme}:.`);
  }
  const name = specOf(spec);
  // The dialog offers to replace a file, but `tfjob init` only creates files.
  if (existsSync(name.fsPath)) {
    return void vscode.window.showErrorMessage(`tfjob: ${path.basename(name.fsPath)} exists. Choose the name of a new file.`);
  }
  try {
    await promisify(execFile)(file, ["init", "--strategy", strategy, "--", path.basename(name.fsPath)], { cwd: path.dirname(name.fsPath) });
  } catch (error) {
    const text = (error as { stderr?: string }).stderr || String(error);
    return void vscode.window.showErrorMessage(`tfjob init: ${text.trim()}`);
  }
  await vscode.window.showTextDocument(name);
}

/** Asks for one of the strategies that the server lists. */
async function pickStrategy(server: Server): Promise<string | undefined> {
  let all: { name: string; description: string }[];
  try {
    all = await server.request("tfjob/strategies", {});
  } catch (error) {
    return void vscode.window.showErrorMessage(`tfjob: ${(error as Error).message}`);
  }
  const items = all.map(({ name, description }) => ({ label: name, detail: description }));
  return (await vscode.window.showQuickPick(items, { title: "Create Job: Distribution Strategy", matchOnDetail: true }))?.label;
}

/** Returns the file of a job. The user may type any ending, such as `ads.kdl`, and the dialog may add its own: `ads.kdl.tfjob.kdl`. */
function specOf(typed: vscode.Uri): vscode.Uri {
  return typed.with({ path: `${typed.path.replace(/(?<=[^/])(\.(tfjob|kdl|json|ya?ml))+$/, "")}.tfjob.kdl` });
}
