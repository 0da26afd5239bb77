"""Checks the template for LSP4IJ: its command starts the server, and its patterns are those of the server's files."""
import fnmatch
import json
import pathlib
import re
import shlex
import sys

sys.dont_write_bytecode = True
import lsp  # noqa: E402

EDITORS = pathlib.Path(__file__).resolve().parent.parent
NAMES = ("a.tfjob.kdl", "a.cluster.kdl", "tfjob.kdl", "a.tfjob.json", "a.cluster.json", "a.tfjob.yaml", "a.tfjob.yml", "a.cluster.yaml", "a.cluster.yml")

template = json.loads((EDITORS / "jetbrains/tfjob/template.json").read_text())
patterns = [pattern for one in template["fileTypeMappings"] for pattern in one["fileType"]["patterns"]]
missing = [name for name in NAMES if not any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]
assert not missing, f"no pattern for {missing}"
assert not any(fnmatch.fnmatch(name, pattern) for name in ("a.kdl", "a.json", "a.yaml") for pattern in patterns)
section = (EDITORS / "README.md").read_text().split("## JetBrains IDEs")[1].split("\n## ")[0]
documented = re.search(r"```sh\n(.*)\n```", section)[1]
command = shlex.split(template["programArgs"]["default"])
assert documented in command, f"the README has `{documented}`, the template {command}"
found = lsp.diagnostics(command, "a.tfjob.kdl", 'job "a" {\n    rle "worker"\n}\n')
assert any("rle" in one["message"] for one in found), found
print(f"ok    {len(patterns)} patterns; the command reports: {found[0]['message'].splitlines()[0]}")
