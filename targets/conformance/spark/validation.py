"""`engine judge`: judges each case with the classes of Spark and the code of the job."""
import ast
import contextlib
import json
import os
import pathlib
import shutil
import subprocess

import place
import script
from toolchain import apart
from toolchain.cases import answer, finding
from toolchain.lines import Lines

# Stages at which Spark can fail, each with the verdict: before Spark accepts the call, or in the application that it starts.
STAGES = {"launcher": "refused", "jvm": "refused", "arguments": "refused", "prepare": "refused",
          "values": "broken", "settings": "broken", "resources": "broken", "machines": "broken", "container": "refused",
          "context": "broken"}
UNDERSTOOD = ("jvm", "arguments", "main", "mainArgs", "settings", "container")
KEYTABS = ("spark.kerberos.keytab=", "spark.yarn.keytab=")


@contextlib.contextmanager
def judge():
    """Starts one JVM, one submitting host, and one server of executors for all cases."""
    apart.enter(place.Spark)
    apart.own_root()
    validation = Judging(place.Spark())
    try:
        yield validation.case
    finally:
        validation.close()


@contextlib.contextmanager
def entries():
    """Starts one JVM that parses values with the `ConfigEntry` of a setting."""
    apart.enter(place.Spark)
    jvm = place.judge(place.Spark(), apart.scratch())
    try:
        yield jvm.ask
    finally:
        jvm.close()


class Judging:
    """The state that all cases share."""

    def __init__(self, spark):
        self.scratch = apart.scratch()
        self.folder = self.scratch / "job"
        self.folder.mkdir()
        self.host = script.Host(self.scratch)
        self.jvm = place.judge(spark, self.folder)
        self.executors = Lines([spark.python, place.HERE / "executors.py"], env=spark.environment())
        self.executors.hear()

    def close(self):
        """Stops both servers."""
        self.jvm.close()
        self.executors.close()

    def case(self, case):
        """Returns the answer to one case."""
        lay_out(case, self.folder)
        submit = next((path for path in sorted(self.folder.rglob("submit.sh"))), None)
        if not submit:
            return answer(case, [finding("refused", "there is no submit.sh among the artifacts")])
        return self.placeless(self.judged(case, submit))

    def placeless(self, said):
        """Returns the answer with placeholders for the directories of this run, so that the answer is the same in each run."""
        text = json.dumps(said)
        names = {self.folder / "compiled": "<compiled>", self.folder: "<here>", self.scratch: "<host>"}
        for folder, name in names.items():
            text = text.replace(str(folder), name)
        return json.loads(text)

    def judged(self, case, submit):
        """Returns the answer to a case with a script."""
        findings = [*python(submit.parent), *gpus(submit.parent)]
        call, others, played, fault = self.host.submit(submit, self.folder)
        understood = {"programs": others, "played": played}
        if fault:
            return answer(case, [*findings, fault], understood)
        said = self.spark(call, played, case.get("options", {}).get("container", False))
        findings += spark_findings(said, call)
        understood.update(exported=script.exported(call))
        understood.update((key, said[key]) for key in UNDERSTOOD if key in said)
        if "settings" not in said or not (submit.parent / "job.json").exists():
            return answer(case, findings, understood)
        tasks, found = self.tasks(submit.parent, said["settings"], case.get("options", {}).get("started"))
        findings += found
        if any(task.get("partial") for task in tasks):
            words = "TFJOB_SHIM is not set to a shim, so its arguments and variables are unknown"
            findings.append(finding("warning", words, "contract.json"))
        return answer(case, findings, understood, tasks)

    def spark(self, call, played, container):
        """Returns what Spark does with the recorded call and, on request, the files of a YARN container. Empty files replace
        keytabs, because these exist only on the submitting host."""
        for word in call["argv"]:
            key = next((key for key in KEYTABS if word.startswith(key)), None)
            if key and word[len(key):] not in played:
                played.append(word[len(key):])
                self.host.play(self.folder / word[len(key):])
        return self.jvm.ask({"argv": call["argv"], "env": call["env"], "container": container})

    def tasks(self, folder, conf, started):
        """Returns what each process would get, and errors that the code of the job reports. `started`: number of tasks per role,
        if limited."""
        shim = os.environ.get("TFJOB_SHIM")
        contract = folder / "contract.json"
        if contract.exists():
            play_jars(json.loads(contract.read_text(encoding="utf-8")))
        shim = str(pathlib.Path(shim).resolve()) if shim else None
        said = self.executors.ask({"folder": str(folder), "conf": conf, "shim": shim, "started": started})
        found = [finding(one["kind"], one["words"], one["artifact"]) for one in said["findings"]]
        return said["tasks"], found


def lay_out(case, folder):
    """Writes the artifacts below the working directory of the script, as the compiler would."""
    for old in folder.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    for artifact in case.get("artifacts", []):
        path = folder / "compiled" / artifact["path"]
        if folder not in pathlib.Path(os.path.normpath(path)).parents:
            raise ValueError(f"the path of artifact {artifact['path']} leaves its directory")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact["text"], encoding="utf-8")
        if artifact.get("executable"):
            path.chmod(0o755)


def python(folder):
    """Returns findings for Python files with syntax that the oldest Python of Spark 3.5 does not support."""
    for path in sorted(folder.glob("*.py")):
        try:
            ast.parse(path.read_text(encoding="utf-8"), path.name, feature_version=(3, 8))
        except SyntaxError as fault:
            yield finding("broken", f"Python 3.8, line {fault.lineno}: {fault.msg}", path.name)


def gpus(folder):
    """Returns findings if a discovery script does not print what Spark reads: {"name", "addresses"}."""
    path = folder / "gpus.sh"
    if not path.exists():
        return
    tool = folder / "bin" / "nvidia-smi"
    tool.parent.mkdir(exist_ok=True)
    tool.write_text("#!/bin/sh\nprintf '0\\n1\\n'\n", encoding="utf-8")
    tool.chmod(0o755)
    env = {"PATH": f"{tool.parent}:{script.REAL}"}
    done = subprocess.run(["sh", path], env=env, capture_output=True, text=True, timeout=20, check=False)
    shutil.rmtree(tool.parent)
    with contextlib.suppress(ValueError):
        if json.loads(done.stdout) == {"name": "gpu", "addresses": ["0", "1"]}:
            return
    yield finding("broken", f"on two GPUs it prints {done.stdout!r} {done.stderr!r}", path.name)


def play_jars(contract):
    """Creates one JAR file in each directory of Hadoop, named as in the claims."""
    hadoop = contract.get("hadoop") or {}
    for folder in hadoop.get("jars", []):
        apart.play(f"{hadoop['home']}/{folder}/*.jar")


def spark_findings(said, call):
    """Returns the findings that follow from the messages of Spark."""
    given = {word.partition("=")[0] for word in call["argv"] if "=" in word}

    def at(kind, words, key=""):
        pointer = "/settings/" + key.replace("~", "~0").replace("/", "~1") if key in given else ""
        return finding(kind, words, "submit.sh", pointer)

    found = [at("warning", line) for line in said.get("warnings", [])]
    if "error" in said:
        found.append(at(STAGES[said["stage"]], f"{said['stage']}: {said['error']}"))
    found += [at("dropped", f"no code of Spark declares {key}", key) for key in said.get("undeclared", [])]
    found += [at("changed", f"{key} is read as {value}", key) for key, value in said.get("changed", {}).items()]
    found += [at("broken", words, key) for key, words in said.get("unread", {}).items()]
    return found
