"""Runs `tfjob diff --live`, and checks that each rule and each known value of a target is observed."""
import json
import os
import pathlib
import subprocess

from conformance import cases, engines

TFJOB = engines.ROOT / os.environ.get("TFJOB", "target/x86_64-unknown-linux-musl/dist/tfjob")
# Fields that identify an item of a list, as in compiler/driver/src/difference/values.rs.
NAMES = ("name", "id", "mountPath", "containerPath", "destPath", "dest_file", "port")


class Comparison:
    """The comparisons of one target. `unproven`: rules and known values that the engine cannot show, each with the reason."""

    def __init__(self, target, folder, unproven, verbose):
        self.target, self.folder, self.unproven, self.verbose = target, folder, unproven, verbose
        self.faults, self.reasons, self.additions, self.count = [], set(), set(), 0

    def fault(self, text):
        """Records a fault."""
        self.faults.append(text)
        print(f"FAILED {self.target}: {text}", flush=True)

    def spec(self, text, name="a"):
        """Writes a spec, and returns its path."""
        path = self.folder / f"{name}.tfjob.kdl"
        path.write_text(text, encoding="utf-8")
        return path

    def compiled(self, *specs):
        """Compiles specs, and returns the directory of the output."""
        out = pathlib.Path(f"{self.folder}/out-{len(list(self.folder.glob('out-*')))}")
        words = [TFJOB, "compile", "--quiet", "--target", self.target, "--out", out, *specs]
        done = subprocess.run(words, cwd=engines.ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise engines.Unavailable(f"the specs do not compile:\n{done.stderr}")
        return out

    def diff(self, spec, live, *more):
        """Returns the exit code and both outputs of `tfjob diff`. `live`: an answer of the platform, or its text."""
        self.count += 1
        text = live if isinstance(live, (str, bytes)) else json.dumps(live)
        words = [TFJOB, "diff", spec, "--target", self.target, "--live", "-", *more]
        given = text if isinstance(text, bytes) else text.encode()
        done = subprocess.run(words, cwd=engines.ROOT, input=given, capture_output=True, check=False)
        if self.verbose:
            print(f"--- {pathlib.Path(spec).name}: {done.returncode} {done.stdout.decode()}{done.stderr.decode()}", flush=True)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def same(self, what, spec, live):
        """The spec and the answer have no difference."""
        code, out, err = self.diff(spec, live)
        if code or out != "no difference in 1 job\n":
            self.fault(f"{what}: expected no difference, but the exit code is {code}: {out}{err}")

    def differs(self, what, spec, live, expected):
        """Exactly these values differ: `expected` has the effect of each pointer. Digests of the spec are ignored."""
        self.judged(what, self.diff(spec, live, "--format", "json"), expected)

    def between(self, what, old, new, expected):
        """The same for two specs, without an answer of the platform."""
        self.count += 1
        words = [TFJOB, "diff", old, new, "--target", self.target, "--format", "json"]
        done = subprocess.run(words, cwd=engines.ROOT, capture_output=True, text=True, check=False)
        self.judged(what, (done.returncode, done.stdout, done.stderr), expected)

    def observed(self, what, old, new, pointer, effect):
        """All values of two specs with this pointer have this effect."""
        words = [TFJOB, "diff", old, new, "--target", self.target, "--format", "json"]
        done = subprocess.run(words, cwd=engines.ROOT, capture_output=True, text=True, check=False)
        jobs = json.loads(done.stdout or "{}").get("jobs", [])
        found = [one for job in jobs for target in job["targets"] for one in target["changes"] if one["pointer"] == pointer]
        if not found or {one["effect"] for one in found} != {effect}:
            self.fault(f"{what}: expected {effect} of {pointer}, found {found} {done.stderr}")
        self.reasons.update(one["reason"] for one in found)

    def judged(self, what, result, expected):
        """Compares the report of `tfjob diff` with the expected effects."""
        code, out, err = result
        if code != 1:
            self.fault(f"{what}: expected a difference, but the exit code is {code}: {out}{err}")
            return
        changes = [one for job in json.loads(out)["jobs"] for target in job["targets"] for one in target["changes"]]
        changes = [one for one in changes if not one["pointer"].endswith(("spec-digest", "task-digest"))]
        found = {f"{one['object']} {one['pointer']}": one["effect"] for one in changes}
        if found != expected:
            self.fault(f"{what}: the differences are {found}, expected {expected}")
        self.reasons.update(one["reason"] for one in changes)

    def refused(self, what, spec, live, message):
        """The answer cannot be compared: exit code 2, and this message."""
        code, out, err = self.diff(spec, live)
        if code != 2 or message not in err:
            self.fault(f"{what}: expected the message {message!r}, but the exit code is {code}: {out}{err}")

    def add(self, name, live, wanted):
        """Records which values the platform has added to an object."""
        self.additions.update((name, pointer) for pointer in added(live, wanted))

    def complete(self):
        """Each rule and each known value must be observed, or be listed as unproven."""
        rules, entries = cases.updates(self.target)
        self.rules, self.entries = len(rules), len(entries)
        used = set()
        for rule in rules:
            name = f"{rule['file']} {rule['pointer']}"
            used.add(name)
            if rule["reason"] not in self.reasons and name not in self.unproven:
                self.fault(f"the rule `{name}` is not observed")
        for entry in entries:
            start, pattern = entry["object"], entry["pointer"]
            seen = any(one.startswith(start) and matches(pattern, pointer) for one, pointer in self.additions)
            used.add(start + pattern)
            if seen == (start + pattern in self.unproven):
                self.fault(f"the value `{start}{pattern}` is {'observed, but listed as unproven' if seen else 'not observed'}")
        for name in self.unproven.keys() - used:
            self.fault(f"`{name}` is listed as unproven, but no rule or known value has this name")

    def summary(self):
        """Returns the numbers of comparisons, rules, and known values."""
        return f"{self.count} comparisons, {self.rules} rules, {self.entries} known values, {len(self.unproven)} of both unproven"


def matches(pattern, pointer):
    """Returns whether a pointer matches a pattern of targets/src/*/updates.rs."""
    wanted, found = pattern.split("/"), pointer.split("/")
    if wanted[-1] == "**":
        wanted, found = wanted[:-1], found[:len(wanted) - 1]
    return len(wanted) == len(found) and all(one in ("*", other) for one, other in zip(wanted, found))


def added(live, wanted, at=""):
    """Yields the pointers of values that only the reported object has."""
    if isinstance(live, dict) and isinstance(wanted, dict):
        for key, value in live.items():
            here = f"{at}/{key.replace('~', '~0').replace('/', '~1')}"
            if key not in wanted:
                yield here
            else:
                yield from added(value, wanted[key], here)
    elif isinstance(live, list) and isinstance(wanted, list):
        for index, value in enumerate(live):
            other = partner(value, index, wanted)
            yield from [f"{at}/{index}"] if other is None else added(value, other, f"{at}/{index}")


def partner(item, index, others):
    """Returns the item of another list with the same name or index."""
    name = next((key for key in NAMES if isinstance(item, dict) and key in item), None)
    if name is None:
        return others[index] if index < len(others) else None
    return next((one for one in others if isinstance(one, dict) and one.get(name) == item[name]), None)
