// "Explain": the pages of `tfjob explain`, shown as Markdown.
import * as vscode from "vscode";
import { isOurs, type Server } from "./server";

const SCHEME = "tfjob-explain";

/** Shows the page about an error code, a keyword, a feature, or a target. */
export class Explain implements vscode.Disposable, vscode.TextDocumentContentProvider {
  private readonly registered: vscode.Disposable;

  constructor(private readonly server: Server) {
    this.registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.commands.registerCommand("tfjob.explain", (topic?: unknown) => this.explain(typeof topic === "string" ? topic : undefined)),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (await this.page(uri.path.slice(1, -".md".length))).markdown;
  }

  dispose(): void {
    this.registered.dispose();
  }

  /** Explains a topic, else that of the cursor, else asks for one. */
  private async explain(given?: string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const place = editor && { uri: editor.document.uri.toString(), position: editor.selection.active };
    for (const topic of given ? [given] : atCursor()) {
      // At a field, the topic names its block too.
      const page = await this.page(topic, given ? undefined : place).catch(() => undefined);
      if (page) {
        return show(page.topic);
      }
    }
    const topic = await vscode.window.showInputBox({
      title: "Explain",
      value: given,
      prompt: "An error code, a keyword, a feature, or a target. Lists: codes, features, references, targets.",
      placeHolder: "for example: restart",
      validateInput: (text) => text.trim() && this.page(text.trim()).then(() => undefined, (error: Error) => error.message),
    });
    if (topic) {
      await show(topic.trim());
    }
  }

  private page(topic: string, place?: { uri: string; position: vscode.Position }): Promise<{ topic: string; markdown: string }> {
    return this.server.request("tfjob/explain", { topic, ...place });
  }
}

async function show(topic: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${topic}.md` });
  await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
}

/** Returns what the cursor is on: the codes of its findings, and its word. */
function atCursor(): string[] {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !isOurs(editor.document)) {
    return [];
  }
  const cursor = editor.selection.active;
  const findings = vscode.languages.getDiagnostics(editor.document.uri).filter((one) => one.range.contains(cursor));
  const codes = findings.flatMap(({ code }) => (typeof code === "object" ? String(code.value) : code === undefined ? [] : String(code)));
  const word = editor.document.getWordRangeAtPosition(cursor);
  // In JSON, a word contains its quotes.
  return word ? [...codes, editor.document.getText(word).replaceAll(/["':]/g, "")] : codes;
}
