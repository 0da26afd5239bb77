// What a user does in the editor, and what the user sees. Cursor positions are typed into "Go to Line", and actions are chosen in the
// command palette, so that no check depends on pixels or key bindings.
const TIMEOUT = 12_000;

export class Editor {
  constructor(page) {
    this.page = page;
  }

  async opened(name) {
    await this.page.locator(".tab.active").filter({ hasText: name }).first().waitFor({ timeout: 60_000 });
    await this.page.waitForSelector(".view-lines .view-line", { timeout: 60_000 });
    await this.command("View: Focus First Editor Group", true);
  }

  async press(keys) {
    await this.page.keyboard.press(keys);
  }

  async type(text) {
    await this.page.keyboard.type(text);
  }

  /** Moves the cursor of the first editor group. */
  async goto(line, column) {
    await this.press("Escape");
    await this.command("View: Focus First Editor Group", true);
    await this.press("Control+g");
    await this.page.keyboard.type(`${line}:${column}`);
    await this.press("Enter");
    await this.page.waitForTimeout(150);
  }

  /** Runs a command of the palette. */
  async command(title, isQuiet = false) {
    await this.press("F1");
    await this.page.locator(".quick-input-widget input").first().fill(`>${title}`);
    const row = this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: new RegExp(`^${title.replace(/\W/g, "\\$&")}`) });
    await row.first().waitFor({ timeout: TIMEOUT });
    await row.first().click();
    if (isQuiet) await this.page.locator(".quick-input-widget").waitFor({ state: "hidden", timeout: TIMEOUT });
  }

  /** Returns the titles of the palette's commands that contain a title. */
  async commands(title) {
    await this.press("F1");
    await this.page.locator(".quick-input-widget input").first().fill(`>${title}`);
    await this.page.waitForTimeout(500);
    const rows = await this.page.locator(".quick-input-list .monaco-list-row").allInnerTexts();
    await this.press("Escape");
    return rows.filter((row) => row.includes(title)).join(", ");
  }

  /** Chooses an item of the open list. */
  async pick(text) {
    const row = this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first();
    await row.waitFor({ timeout: TIMEOUT });
    await this.page.waitForTimeout(200);
    await row.click();
  }

  async status(language) {
    const item = this.page.locator(".statusbar-item#status\\.editor\\.mode").filter({ hasText: language });
    await item.first().waitFor({ timeout: TIMEOUT });
    return (await item.first().innerText()).trim();
  }

  async sees(selector) {
    await this.page.waitForSelector(selector, { timeout: 40_000 });
    return this.page.locator(".statusbar-item#status\\.problems").first().innerText({ timeout: TIMEOUT });
  }

  async loses(selector) {
    await this.page.waitForSelector(selector, { state: "detached", timeout: TIMEOUT });
  }

  /** Opens the hover at the cursor. */
  async hover(text) {
    const hover = this.page.locator(".monaco-hover:not(.hidden)").filter({ hasText: text }).first();
    // A change of the findings closes a hover that is already open.
    for (let i = 0; i < 4; i++) {
      await this.command("Show or Focus Hover");
      const seen = await hover.innerText({ timeout: 3_000 }).catch(() => undefined);
      if (seen) return seen;
    }
    throw new Error(`no hover with ${text}`);
  }

  /** Applies the quick fix at the cursor whose title matches. */
  async pickAction(title) {
    await this.page.waitForTimeout(300);
    await this.command("Quick Fix...");
    const row = this.page.locator(".action-widget .monaco-list-row").filter({ hasText: title }).first();
    await row.waitFor({ timeout: TIMEOUT });
    for (let i = 0; i < 20 && !title.test(await this.page.locator(".action-widget .monaco-list-row.focused").innerText()); i++) {
      await this.press("ArrowDown");
    }
    await this.press("Enter");
  }

  /** Waits until completion offers an item. */
  async offers(label) {
    const row = this.page.locator(".suggest-widget.visible .monaco-list-row").filter({ hasText: label }).first();
    await row.waitFor({ timeout: TIMEOUT });
    await this.page.waitForTimeout(500);
    return (await this.page.locator(".suggest-widget .monaco-list-row").allInnerTexts()).join(" | ");
  }

  /** Accepts an item of the completion. */
  async complete(label, line) {
    await this.offers(label);
    await this.press("Enter");
    return this.line(line);
  }

  /** Removes the line of the cursor. */
  async undoLine() {
    await this.press("Escape");
    await this.press("Escape");
    await this.command("Delete Line", true);
    await this.press("ArrowUp");
    await this.press("End");
  }

  /** Waits until a line of the first editor matches. */
  async line(pattern) {
    return this.lineOf(0, pattern);
  }

  /** Waits until a line, or the text above the first line, of the second editor matches. */
  async other(pattern) {
    return this.lineOf(1, pattern);
  }

  /** Moves the focus to the second editor. */
  async focusOther() {
    await this.command("View: Focus First Editor Group", true);
    await this.command("View: Focus Next Editor Group", true);
  }

  /** Scrolls the second editor to its start. */
  async scrollOther() {
    await this.focusOther();
    await this.press("Control+Home");
  }

  /** Waits until a line of the terminal matches. */
  async terminal(pattern) {
    const line = this.page.locator(".xterm-rows > div").filter({ hasText: spaced(pattern) }).first();
    await line.waitFor({ timeout: TIMEOUT });
    return line.innerText();
  }

  async lineOf(number, pattern) {
    const editors = this.page.locator(".editor-group-container");
    const line = editors.nth(number).locator(".view-line, .codelens-decoration").filter({ hasText: spaced(pattern) }).first();
    await line.waitFor({ timeout: TIMEOUT });
    return line.innerText();
  }

  /** Waits until the line of the second editor that matches has a highlight. */
  async marked(pattern) {
    const group = this.page.locator(".editor-group-container").nth(1);
    const line = group.locator(".view-line").filter({ hasText: spaced(pattern) }).first();
    await line.waitFor({ timeout: TIMEOUT });
    await this.page.waitForFunction(
      ([text]) => {
        const group = document.querySelectorAll(".editor-group-container")[1];
        const marks = [...group.querySelectorAll(".view-overlays .cdr[class*='ced-']")].map((one) => one.getBoundingClientRect().top);
        const lines = [...group.querySelectorAll(".view-line")].filter((one) => new RegExp(text).test(one.textContent.replaceAll("\u00a0", " ")));
        return lines.some((one) => marks.some((top) => Math.abs(top - one.getBoundingClientRect().top) < 3));
      },
      [spaced(pattern).source],
      { timeout: TIMEOUT },
    );
    return line.innerText();
  }

  /** Waits until the line of the cursor in the focused editor matches. */
  async cursor(pattern) {
    await this.page.waitForFunction(
      ([text]) => {
        const editor = document.activeElement?.closest(".editor-instance, .monaco-editor");
        const cursor = editor?.querySelector(".cursor")?.getBoundingClientRect();
        const lines = [...(editor?.querySelectorAll(".view-line") ?? [])];
        const own = lines.find((one) => cursor && Math.abs(one.getBoundingClientRect().top - cursor.top) < 3);
        return own && new RegExp(text).test(own.textContent.replaceAll("\u00a0", " "));
      },
      [spaced(pattern).source],
      { timeout: TIMEOUT },
    );
    return String(pattern);
  }

  /** Waits until the words of the first editor have different colors. */
  async differ(...words) {
    const colors = async () => {
      const spans = await this.page.locator(".view-line span span").evaluateAll((all) =>
        all.map((one) => [one.textContent.replaceAll("\u00a0", " ").trim(), getComputedStyle(one).color]),
      );
      return words.map((word) => spans.find(([text]) => text === word || text === `"${word}"`)?.[1]);
    };
    const end = Date.now() + TIMEOUT;
    for (;;) {
      const seen = await colors();
      const shown = words.map((word, i) => `${word} ${seen[i]}`).join(", ");
      if (seen.every(Boolean) && new Set(seen).size === words.length) return shown;
      if (Date.now() > end) throw new Error(shown);
      await this.page.waitForTimeout(200);
    }
  }

  /** Waits until no extension is starting, and checks that there is no message. */
  async isQuiet() {
    await this.command("Notifications: Show Notifications");
    await this.page.waitForTimeout(500);
    const messages = await this.page.locator(".notifications-center .notification-list-item-message").allInnerTexts();
    if (messages.length) throw new Error(messages.join(", "));
    await this.page.getByText("Activating Extensions").waitFor({ state: "hidden", timeout: TIMEOUT });
  }

  /** Waits until the page contains a text. */
  async text(pattern) {
    const found = this.page.getByText(pattern).first();
    await found.waitFor({ timeout: TIMEOUT });
    return found.innerText();
  }

  /** Waits until a Markdown preview contains a text. */
  async markdown(pattern) {
    const end = Date.now() + TIMEOUT;
    for (;;) {
      for (const frame of this.page.frames()) {
        const body = await frame.locator("body").innerText({ timeout: 500 }).catch(() => "");
        if (frame.parentFrame() && pattern.test(body)) return body;
      }
      if (Date.now() > end) throw new Error(`no Markdown preview with ${pattern}`);
      await this.page.waitForTimeout(200);
    }
  }
}

/** Lines contain no-break spaces. */
function spaced(pattern) {
  return new RegExp(pattern.source.replace(/^\^ \{(\d+)\}/, "^\\s{$1}").replaceAll(" ", "\\s"), pattern.flags);
}
