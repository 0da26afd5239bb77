#!/usr/bin/env python3
"""Fails if a snapshot belongs to no example and target, or to no error code."""
import pathlib
import re
import sys

specs = [*pathlib.Path("examples").rglob("*.tfjob.kdl"), pathlib.Path("docs/everything.tfjob.kdl")]
examples = {p.name.removesuffix(".tfjob.kdl") for p in specs}
codes = {p.stem for folder in ("compiler/lang/errors", "targets/errors") for p in pathlib.Path(folder).glob("*.md")}
NAME = re.compile(r'const NAME: &\'static str = "(\w+)"')
kinds = {name for p in pathlib.Path("targets/src").glob("*.rs") for name in NAME.findall(p.read_text())}


def stands(snap):
    if snap.parent.name == "errors":
        return snap.stem in codes
    return snap.parent.name in examples and snap.stem in kinds


stray = [str(snap) for snap in sorted(pathlib.Path("snapshots").rglob("*.snap")) if not stands(snap)]
print("\n".join(stray) or "every snapshot belongs to an example or an error code")
sys.exit(bool(stray))
