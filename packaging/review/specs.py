"""Writes the faulty specs of all error pages to a directory: specs.py DIRECTORY"""
import pathlib
import re
import sys

directory = pathlib.Path(sys.argv[1])
pages = [*pathlib.Path("compiler/lang/errors").glob("*.md"), *pathlib.Path("targets/errors").glob("*.md")]
for page in sorted(pages):
    for number, text in enumerate(re.findall(r"```kdl\n(.*?)```", page.read_text(), re.S)):
        # Lines that begin with `//` and a mark are the expected findings.
        text = "".join(line for line in text.splitlines(True) if not re.match(r"//\s*\^", line))
        (directory / f"{page.stem} {number}.tfjob.kdl").write_text(text)
