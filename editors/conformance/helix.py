"""Checks the configuration for Helix in a home directory, and Helix itself if `hx` is on the PATH.

    python3 helix.py HOME          with Helix, this needs the packages pexpect and pyte"""
import fnmatch
import os
import pathlib
import shutil
import subprocess
import sys
import time
import tomllib

sys.dont_write_bytecode = True
import lsp  # noqa: E402

SPEC = 'job "mnist" {\n    role "worker" cuont=4 {\n    }\n}\n'
HOME = pathlib.Path(sys.argv[1])
CONFIG = HOME / ".config/helix"


def check(name, holds, seen=""):
    """Prints a result. Ends the program if it does not hold."""
    print("ok   " if holds else "FAIL ", f"{name}: {seen}")
    if not holds:
        sys.exit(1)


def files():
    """Checks the files without Helix."""
    languages = tomllib.loads((CONFIG / "languages.toml").read_text())
    (language,) = languages["language"]
    globs = [one["glob"] for one in language["file-types"]]
    names = ("a.tfjob.kdl", "a.cluster.kdl", "tfjob.kdl")
    check("file types", all(any(fnmatch.fnmatch(name, glob) for glob in globs) for name in names), globs)
    server = languages["language-server"][language["language-servers"][0]]
    found = lsp.diagnostics([server["command"], *server["args"]], "mnist.tfjob.kdl", SPEC)
    check("language server", any("cuont" in one["message"] for one in found), found[0]["message"].splitlines()[0])
    query = CONFIG / "runtime/queries" / language["name"] / "highlights.scm"
    check("highlighting", query.read_text().strip() == f"; inherits: {language['grammar']}", query.relative_to(CONFIG))


class Terminal:
    """Helix on a terminal of fixed size."""

    def __init__(self, file, environment):
        import pexpect
        import pyte

        class Screen(pyte.Screen):
            def report_device_status(self, mode, **_):  # pyte does not know the private form that Helix requests
                pass

        self.screen = Screen(110, 24)
        self.stream = pyte.ByteStream(self.screen)
        self.timeout = pexpect.TIMEOUT
        self.child = pexpect.spawn("hx", [str(file)], env=environment, dimensions=(24, 110), timeout=5)

    def wait(self, text):
        """Returns the line of the screen that contains a text, when there is one. None after 15 s."""
        end = time.monotonic() + 15
        while time.monotonic() < end:
            try:
                self.stream.feed(self.child.read_nonblocking(65536, timeout=0.1))
            except self.timeout:
                pass
            for line in self.screen.display:
                if text in line:
                    return line.strip()
        return None

    def press(self, keys):
        """Sends keys, one after the other."""
        for key in keys:
            self.child.send(key)
            time.sleep(0.1)


def editor():
    """Checks what a user of Helix sees."""
    environment = {**os.environ, "HOME": str(HOME), "XDG_CONFIG_HOME": str(HOME / ".config"), "TERM": "xterm-256color"}
    (CONFIG / "config.toml").write_text('[editor]\nend-of-line-diagnostics = "hint"\n')
    health = subprocess.run(["hx", "--health", "tfjob"], env=environment, capture_output=True, text=True, check=True).stdout
    check("hx --health tfjob", "✓" in health, health.splitlines()[0])
    file = HOME / "mnist.tfjob.kdl"
    file.write_text(SPEC)
    terminal = Terminal(file, environment)
    try:
        line = terminal.wait("unknown property")
        check("diagnostic", line, line)
        terminal.press(["2", "g", "g", "o", "r", "e", "s"])
        line = terminal.wait("resources")
        check("completion", line, line)
    finally:
        terminal.child.close(force=True)


files()
if shutil.which("hx"):
    editor()
