"""Runs a submit script as a user would. Every program that the script calls is replaced by a recorder."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

from toolchain import apart
from toolchain.cases import finding

REAL = "/usr/local/bin:/usr/bin:/bin"
# Programs that a submitting host has in addition to those of the operating system.
SITE = ["spark-submit", "hadoop", "hdfs", "yarn", "kinit", "klist", "kubectl", "aws", "gsutil", "nvidia-smi"]
# Messages about missing files. These files are then created, and the answer lists them.
MISSED = [re.compile(r"submit\.sh: (?P<path>.+) not found: run this script "),
          re.compile(r"submit\.sh: (?P<path>.+) not found: each task "),
          re.compile(r"submit\.sh: (?P<beside>\S+) not found next to this script")]
LIMIT = 60


class Host:
    """The submitting host: a directory of recorders, a home directory, and an empty Hadoop configuration."""

    def __init__(self, scratch):
        self.scratch, self.programs, self.record = scratch, scratch / "bin", scratch / "record"
        self.programs.mkdir()
        (scratch / "home").mkdir()
        recorder = scratch / "recorder"
        source = pathlib.Path(__file__).with_name("recorder.py").read_text(encoding="utf-8")
        recorder.write_text(f"#!{sys.executable} -SE\n{source}", encoding="utf-8")
        recorder.chmod(0o755)
        names = {name for folder in REAL.split(":") if os.path.isdir(folder) for name in os.listdir(folder)}
        for name in names.union(SITE):
            (self.programs / name).symlink_to(recorder)

    def call(self, script, folder):
        """Runs the script once. Returns its exit status, its output, and the calls of programs."""
        self.record.unlink(missing_ok=True)
        # The script must unset the two variables of Python, because Spark would copy them into containers.
        env = {"PATH": str(self.programs), "HOME": str(self.scratch / "home"), "REFEREE_PATH": REAL,
               "REFEREE_RECORD": str(self.record), "HADOOP_CONF_DIR": "/etc/hadoop/conf",
               "PYSPARK_PYTHON": "/nowhere/python", "PYSPARK_DRIVER_PYTHON": "/nowhere/python"}
        done = subprocess.run(["/bin/sh", str(script)], cwd=folder, env=env, capture_output=True, text=True,
                              errors="replace", timeout=LIMIT, check=False)
        lines = self.record.read_text(encoding="utf-8").splitlines() if self.record.exists() else []
        return done.returncode, done.stderr.strip(), [json.loads(line) for line in lines]

    def submit(self, script, folder):
        """Returns the call of spark-submit, or why the script made none, and the files that were created."""
        played = []
        while True:
            try:
                status, words, calls = self.call(script, folder)
            except subprocess.TimeoutExpired:
                return None, [], played, finding("broken", f"the script still ran after {LIMIT} s", script.name)
            missed = None if status == 0 else missing(words, script)
            if missed is None or missed in played:
                break
            played.append(missed)
            self.play(folder / missed)
        submits = [call for call in calls if call["program"] == "spark-submit"]
        others = [[call["program"], *call["argv"]] for call in calls if call["program"] != "spark-submit"]
        if status or len(submits) != 1:
            fault = f"the script ended with {status} after {len(submits)} calls of spark-submit: {words}"
            return None, others, played, finding("refused", fault, script.name)
        return submits[0], others, played, None

    def play(self, path):
        """Creates a file, in this directory or on the private root file system."""
        path = pathlib.Path(os.path.normpath(path))
        if self.scratch in path.parents:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        else:
            apart.play(path)
        if not path.stat().st_size:
            pack(path)


def pack(path):
    """If the name of a file is that of an archive, replaces its content by an empty archive."""
    name = path.name.lower()
    if name.endswith((".zip", ".jar")):
        zipfile.ZipFile(path, "w").close()
    elif name.endswith((".tar", ".tar.gz", ".tgz")):
        tarfile.open(path, "w" if name.endswith(".tar") else "w:gz").close()


def missing(words, script):
    """Returns the path of the file that the script reports as missing, if any."""
    for form in MISSED:
        found = form.search(words)
        if found and "beside" in found.groupdict():
            return str(script.with_name(found["beside"]))
        if found:
            return found["path"]
    return None


def exported(call):
    """Returns the environment variables that the script changed, as spark-submit sees them. `null` means that the variable was
    removed."""
    ours = {"PATH", "HOME", "HADOOP_CONF_DIR", "PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"}
    gone = {name: None for name in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON") if name not in call["env"]}
    return {**gone, **{name: value for name, value in call["env"].items() if name not in ours}}
