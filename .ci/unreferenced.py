#!/usr/bin/env python3
"""Fails on a snapshot that no example and no target stands behind."""
import pathlib
import sys

examples = {p.name.removesuffix(".tfjob.kdl") for p in pathlib.Path("examples").rglob("*.tfjob.kdl")}
kinds = {"plan", "yarn", "kubernetes", "dcos", "spark"}
stray = [
    str(snap)
    for snap in sorted(pathlib.Path("snapshots").rglob("*.snap"))
    if snap.parent.name not in examples or snap.stem not in kinds
]
print("\n".join(stray) or "every snapshot has its example")
sys.exit(bool(stray))
