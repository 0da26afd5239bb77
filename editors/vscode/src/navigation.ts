// Navigation between a spec and its compiled artifacts, in both directions.
import * as vscode from "vscode";
import { open, SCHEME, type Shown, shownBy } from "./compiled";
import type { Server } from "./server";

interface Place {
  path: string;
  range: { start: vscode.Position; end: vscode.Position };
}

interface Location {
  uri: string;
  range: { start: vscode.Position; end: vscode.Position };
}

/** Time without a move of the cursor after which the other side follows, in milliseconds. */
const PAUSE = 100;

/** Highlights the lines of the other side, and jumps to them. */
export class Navigation implements vscode.Disposable, vscode.DefinitionProvider {
  private readonly mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightStrongBackground"),
    // In high-contrast themes, there is only the border.
    borderColor: new vscode.ThemeColor("editor.wordHighlightStrongBorder"),
    borderStyle: "solid",
    borderWidth: "1px",
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightStrongForeground"),
    isWholeLine: true,
  });
  private readonly disposables: vscode.Disposable[];
  private pause: NodeJS.Timeout | undefined;

  /** `numberOf` returns the number of the environment of a preview. */
  constructor(private readonly server: Server, private readonly numberOf: (shown: Shown) => number) {
    this.disposables = [
      this.mark,
      vscode.commands.registerCommand("tfjob.goToSpec", () => this.goToSpec()),
      vscode.commands.registerCommand("tfjob.goToCompiled", () => this.goToCompiled()),
      vscode.languages.registerDefinitionProvider({ scheme: SCHEME }, this),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.followSoon(textEditor)),
      // A new preview shows the lines of the cursor at once.
      vscode.window.onDidChangeVisibleTextEditors(() => this.followSoon(vscode.window.activeTextEditor)),
    ];
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.disposables.forEach((one) => one.dispose());
  }

  /** The definition of a line in an artifact is in the spec. */
  async provideDefinition(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Location[]> {
    const shown = shownBy(document.uri);
    if (!shown) {
      return [];
    }
    const places = await this.inSpec(shown, position);
    return places.length ? places : [startOf(shown)];
  }

  private async goToSpec(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const shown = editor && shownBy(editor.document.uri);
    if (!shown) {
      return;
    }
    const [place = startOf(shown)] = await this.inSpec(shown, editor.selection.active);
    const { uri, range } = place;
    const visible = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === uri.toString());
    await vscode.window.showTextDocument(uri, { selection: range, viewColumn: visible?.viewColumn });
  }

  private async goToCompiled(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      return;
    }
    const spec = editor.document.uri;
    const position = editor.selection.active;
    if (!previewsOf(spec).length) {
      await vscode.commands.executeCommand("tfjob.showCompiled");
    }
    const previews = previewsOf(spec);
    const found: { preview: Preview; places: Place[] }[] = [];
    for (const preview of previews) {
      found.push({ preview, places: await this.inArtifacts(preview.shown, position) });
    }
    // A file that is already shown, otherwise the first file of the target with such lines.
    const isShown = ({ preview, places }: (typeof found)[0]) => places.find(({ path }) => path === preview.shown.path);
    const best = found.find(isShown) ?? found.find(({ places }) => places.length);
    const place = best && (isShown(best) ?? best.places[0]);
    if (place) {
      const { editor, shown } = best.preview;
      return open({ ...shown, path: place.path }, editor.viewColumn, false, rangeOf(place.range));
    }
    if (previews.length) {
      vscode.window.showInformationMessage("tfjob: no compiled line comes from this position.");
    }
  }

  private followSoon(editor: vscode.TextEditor | undefined): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => editor && void this.follow(editor), PAUSE);
  }

  /** Highlights the lines of the other side of an editor. */
  private async follow(editor: vscode.TextEditor): Promise<void> {
    if (editor !== vscode.window.activeTextEditor) {
      return;
    }
    const position = editor.selection.active;
    const shown = shownBy(editor.document.uri);
    editor.setDecorations(this.mark, []);
    if (shown) {
      const all = await this.inSpec(shown, position);
      for (const other of vscode.window.visibleTextEditors) {
        const own = all.filter((one) => one.uri.toString() === other.document.uri.toString());
        if (other !== editor && (own.length || other.document.uri.toString() === shown.spec)) {
          this.highlight(other, own.map((one) => one.range));
        }
      }
      return;
    }
    for (const preview of previewsOf(editor.document.uri)) {
      const own = (await this.inArtifacts(preview.shown, position)).filter(({ path }) => path === preview.shown.path);
      this.highlight(preview.editor, own.map(({ range }) => rangeOf(range)));
    }
  }

  private highlight(editor: vscode.TextEditor, ranges: vscode.Range[]): void {
    editor.setDecorations(this.mark, ranges);
    if (ranges[0] && vscode.workspace.getConfiguration("tfjob").get("compiled.followCursor", true)) {
      editor.revealRange(ranges[0], vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  private async inSpec(shown: Shown, position: vscode.Position): Promise<vscode.Location[]> {
    const { spec, target, path } = shown;
    const all = await this.locate<Location[]>({ uri: spec, target, environment: this.numberOf(shown), path, position });
    return all.map((one) => new vscode.Location(vscode.Uri.parse(one.uri), rangeOf(one.range)));
  }

  /** The places in all files of the target of a preview. */
  private inArtifacts(shown: Shown, position: vscode.Position): Promise<Place[]> {
    const { spec, target } = shown;
    return this.locate<Place[]>({ uri: spec, target, environment: this.numberOf(shown), position });
  }

  /** A document that cannot be compiled, or was deleted, has no places. */
  private async locate<T>(parameters: { uri: string; [key: string]: unknown }): Promise<T> {
    try {
      // The server knows open documents.
      await vscode.workspace.openTextDocument(vscode.Uri.parse(parameters.uri));
      return await this.server.request<T>("tfjob/locate", parameters);
    } catch {
      return [] as T;
    }
  }
}

interface Preview {
  editor: vscode.TextEditor;
  shown: Shown;
}

/** Returns the start of the spec, to which a line without an origin leads, such as a constant. */
function startOf(shown: Shown): vscode.Location {
  return new vscode.Location(vscode.Uri.parse(shown.spec), new vscode.Position(0, 0));
}

/** Returns the visible previews of a spec. */
function previewsOf(spec: vscode.Uri): Preview[] {
  return vscode.window.visibleTextEditors.flatMap((editor) => {
    const shown = shownBy(editor.document.uri);
    return shown?.spec === spec.toString() ? [{ editor, shown }] : [];
  });
}

function rangeOf(range: Place["range"]): vscode.Range {
  const { start, end } = range;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
