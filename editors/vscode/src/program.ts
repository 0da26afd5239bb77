// Finds the program `tfjob`.
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

const NAME = process.platform === "win32" ? "tfjob.exe" : "tfjob";

/** Returns the path of the program: that of the setting, else of the `PATH`, else the program in the extension. */
export function find(context: vscode.ExtensionContext): string | undefined {
  const setting = configured();
  if (setting) {
    const file = expanded(setting);
    return isProgram(file) ? file : undefined;
  }
  // A relative directory of the `PATH` would be one of the opened folder.
  const directories = (process.env["PATH"] ?? "").split(path.delimiter).filter((one) => path.isAbsolute(one));
  const files = directories.map((one) => path.join(one, NAME));
  return [...files, context.asAbsolutePath(path.join("bin", NAME))].find(isProgram);
}

/** Tells the user that the program is missing, and how to set its path. */
export async function reportMissing(): Promise<void> {
  const choice = await vscode.window.showErrorMessage(`tfjob: ${problem(configured())}`, "Open Settings", "How to Install");
  if (choice === "Open Settings") {
    await vscode.commands.executeCommand("workbench.action.openSettings", "tfjob.server.path");
  } else if (choice) {
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", "tfjob.tfjob#start", false);
  }
}

function problem(setting: string): string {
  if (!setting) {
    return "the program tfjob is not on the PATH. Install it, or set tfjob.server.path.";
  }
  return `the setting tfjob.server.path is ${setting}, but ${reasonAgainst(expanded(setting))}.`;
}

/** Returns why a file cannot be the program. */
function reasonAgainst(file: string): string {
  if (!path.isAbsolute(file)) {
    return "it must be an absolute path";
  }
  if (!fs.existsSync(file)) {
    return "there is no such file";
  }
  return fs.statSync(file).isFile() ? "this file is not executable" : "this is not a file";
}

/** Returns the setting. In Restricted Mode, VS Code returns no value that the folder sets (`restrictedConfigurations`). */
function configured(): string {
  return vscode.workspace.getConfiguration("tfjob").get("server.path", "").trim();
}

function expanded(file: string): string {
  return file.startsWith("~/") ? path.join(os.homedir(), file.slice(2)) : file;
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return path.isAbsolute(file) && fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
