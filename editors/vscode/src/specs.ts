// The spec of a command that was not started from a spec, for example from the walkthrough.
import * as vscode from "vscode";

/** The endings of specs and cluster files, one or two per format. */
export const ENDINGS = ["kdl", "json", "yaml", "yml"];

const FILES = `**/*.tfjob.{${ENDINGS.join(",")}}`;

const isSpec = (uri: vscode.Uri): boolean => ENDINGS.some((ending) => uri.path.endsWith(`.tfjob.${ending}`));

/** Returns the document of the active editor. Without one, the spec that is open in a tab, otherwise that of the folder; of several, the user chooses one. */
export async function currentSpec(): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active) {
    return active;
  }
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.input));
  const open = tabs.flatMap((input) => (input instanceof vscode.TabInputText && isSpec(input.uri) ? [input.uri] : []));
  const found = open.length ? open : await vscode.workspace.findFiles(FILES, undefined, 100);
  const specs = [...new Map(found.map((uri) => [uri.toString(), uri])).values()];
  if (specs.length < 2) {
    return specs[0];
  }
  const items = specs.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  return (await vscode.window.showQuickPick(items, { placeHolder: "Job spec" }))?.uri;
}
