"""Validates a SARIF file as GitHub reads it: sarif.py FILE MULTITOOL

Asks the JSON schema of SARIF and Microsoft's validator with its GitHub rules. The validator always exits with 0, so its log is read. Each
of them must also refuse a broken copy of the file; otherwise it validates nothing."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

FILE, TOOL = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SCHEMA = jsonschema.Draft7Validator(json.loads((TOOL.parent / "sarif-2.1.0.json").read_text(encoding="utf-8-sig")))
ENV = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1"}


def faults(log):
    """Returns the errors and warnings of the validator and of the schema."""
    with tempfile.TemporaryDirectory() as directory:
        given, report = pathlib.Path(directory, "in.sarif"), pathlib.Path(directory, "out.sarif")
        given.write_text(json.dumps(log))
        command = [TOOL, "validate", given, "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning", "--output", report]
        subprocess.run([*command, "--log", "ForceOverwrite"], env=ENV, check=True, stdout=subprocess.DEVNULL)
        runs = json.loads(report.read_text(encoding="utf-8-sig"))["runs"]
    found = [f"{result.get('level', 'warning')} {result['ruleId']}" for run in runs for result in run.get("results", [])]
    # SARIF2005 asks for the web page of the tool, and tfjob has none.
    found = [fault for fault in found if not fault.endswith("SARIF2005")]
    return found + [f"schema: {'/'.join(map(str, error.path))}" for error in SCHEMA.iter_errors(log)]


def broken(good):
    """Returns broken copies of a log, by what is wrong."""
    def without_locations(run):
        run["results"][0].pop("locations")

    def without_help(run):
        run["tool"]["driver"]["rules"][0].pop("help")

    def with_absolute_path(run):
        run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "/home/me/a.kdl"

    def with_line_zero(run):
        run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0

    def with_unknown_level(run):
        run["results"][0]["level"] = "fatal"

    for change in [without_locations, without_help, with_absolute_path, with_line_zero, with_unknown_level]:
        log = copy.deepcopy(good)
        change(log["runs"][0])
        yield change.__name__.replace("_", " "), log


def main():
    good = json.loads(FILE.read_text())
    results = good["runs"][0]["results"]
    failures = [f"the file: {fault}" for fault in faults(good)]
    failures += [f"not noticed: {name}" for name, log in broken(good) if not faults(log)]
    # The validators do not ask for fingerprints. Without them, each upload opens every alert again.
    marks = [result.get("partialFingerprints", {}).get("primaryLocationLineHash") for result in results]
    failures += ["a result has no fingerprint"] if None in marks else []
    print(f"{len(results)} results of {len(good['runs'][0]['tool']['driver']['rules'])} rules")
    if failures:
        sys.exit("\n".join(failures))


main()
