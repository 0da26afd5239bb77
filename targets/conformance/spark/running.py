"""`engine run`: runs each job on a standalone cluster on the loopback interface, with a test program instead of the user's
program."""
import contextlib
import json
import os
import pathlib
import shutil
import stat
import zipfile

import validation
import place
import script
from cluster import LEAN, Own, Standalone
from toolchain import apart
from toolchain.cases import answer, finding
from yarn import Yarn, jars

LIMIT, TASKS, ROWS = 420, 2, 120


def fetch():
    """Downloads the files that both kinds of cluster need."""
    place.Spark()
    jars()


@contextlib.contextmanager
def run():
    """Starts one cluster of each kind, for all cases that need this kind."""
    apart.enter(fetch)
    apart.own_root()
    running = Running(place.Spark())
    try:
        yield running.case
    finally:
        for cluster in running.clusters.values():
            cluster.stop()


class Running:
    """The state that all cases share."""

    def __init__(self, spark):
        self.spark, self.clusters, self.scratch = spark, {}, apart.scratch()
        self.folder, self.said, self.programs = (self.scratch / name for name in ("job", "said", "programs"))
        self.folder.mkdir()
        self.programs.mkdir()
        self.host = script.Host(self.scratch)

    def case(self, case):
        """Returns the answer to one case."""
        validation.lay_out(case, self.folder)
        submit = next(iter(sorted(self.folder.rglob("submit.sh"))), None)
        if not submit:
            return answer(case, [finding("refused", "there is no submit.sh among the artifacts")])
        call, _others, _played, fault = self.host.submit(submit, self.folder)
        if fault:
            return answer(case, [fault])
        if not (submit.parent / "job.json").exists():
            return self.foreign(case, call["argv"], submit.parent)
        options = case.get("options", {})
        job = Small(submit.parent, self.scratch, call["argv"], options.get("files", 1))
        if job.contract and not os.environ.get("TFJOB_SHIM"):
            return answer(case, [finding("warning", "not run: the job needs a shim, and TFJOB_SHIM names none")])
        shutil.rmtree(self.said, ignore_errors=True)
        self.said.mkdir()
        for name, of in (("faults", "fail"), ("slow", "slow"), ("amid", "amid")):
            (self.said / name).write_text(json.dumps(options.get(of, {})), encoding="utf-8")
        self.stand_in(job, jars="refused" not in options)
        cluster = self.cluster(call["argv"])
        status = cluster.submit(self.words(call["argv"], job, cluster), self.folder, LIMIT)
        log = cluster.logs()
        lives = [json.loads(path.read_text()) for path in sorted(self.said.glob("*.*.*")) if path.suffix != ".draft"]
        ended = self.refused(status, log, options["refused"]) if "refused" in options else self.findings(job, status, log, lives)
        findings = [*job.warnings, *ended]
        shims = sorted({line for line in cluster.words_of_tasks() if line.startswith("tfjob-shim: ")})
        findings += [finding("warning", line, "contract.json") for line in shims]
        understood = {"driver": status, "said": [line for line in log if line.startswith("tfjob: ")],
                      "ran": {"master": cluster.master, "counts": job.counts, "rows": job.rows}}
        last = {(life["role"], life["index"]): life for life in lives}
        tasks = [self.shown(life) for life in last.values()]
        if not job.whole:
            # If fewer tasks run than are claimed, the cluster is smaller than the claims say, so they are not compared.
            understood["tasks"], tasks = tasks, None
        return answer(case, findings, understood, tasks)

    def foreign(self, case, argv, folder):
        """Runs a call that is no job of tfjob, unchanged and with its own master. The answer is the output of its driver."""
        if Own not in self.clusters:
            self.clusters[Own] = Own(self.spark, "own")
        cluster = self.clusters[Own]
        status = cluster.call([self.spark.home / "bin/spark-submit", *argv], folder, LIMIT)
        said = [line for line in cluster.said() if line.startswith("tfjob: ")]
        findings = [finding("broken", f"the driver ended with {status}: {cluster.said()[-1:]}", "driver.py")] if status else []
        return answer(case, findings, {"driver": status, "said": said})

    def stand_in(self, job, jars=True):
        """Creates the JAR files of Hadoop. Also creates the test program at each path that a role names: in PATH, in an archive,
        or absolute."""
        text = (f"#!/bin/sh\nexec {self.spark.python} {place.HERE / 'train.py'} {self.said} \"$0\" \"$@\"\n")
        if job.contract and jars:
            validation.play_jars(job.contract)
        job.archive()
        for name in job.programs():
            if name.startswith("<executor>/"):
                job.into_archive(name[len("<executor>/"):], text)
                continue
            path = self.programs / name if "/" not in name else pathlib.Path(name)
            if path.exists() and path.parent != self.programs:
                continue
            apart.play(path)
            path.write_text(text, encoding="utf-8")
            path.chmod(0o755)

    def cluster(self, argv):
        """Returns the cluster that is most similar to the master of the call. Starts the cluster at its first use."""
        master = next((word for flag, word in zip(argv, argv[1:]) if flag == "--master"), "")
        kind = Yarn if master == "yarn" else Standalone
        if kind not in self.clusters:
            self.clusters[kind] = kind(self.spark, kind.__name__.lower()).start()
        return self.clusters[kind]

    def words(self, argv, job, cluster):
        """Returns the recorded arguments, changed for this cluster: its master, its sizes, and files that exist."""
        words, at = [], 0
        while at < len(argv):
            word, value = argv[at], argv[at + 1] if at + 1 < len(argv) else ""
            at += 2 if word.startswith("--") else 1
            if word in ("--master", "--deploy-mode", "--archives", "--files"):
                continue
            if word == "--conf" and value.startswith(cluster.elsewhere):
                continue
            words += [word, value] if word.startswith("--") else [word]
        start, ours = cluster.settings(job, argv)
        path = f"{self.programs}:{self.spark.environment()['PATH']}"
        ours |= {"spark.ui.enabled": "false", "spark.executorEnv.PATH": path, "spark.network.timeout": "300s"}
        if not any(word.startswith("spark.executor.extraJavaOptions=") for word in words):
            ours["spark.executor.extraJavaOptions"] = LEAN
        pairs = [word for key, value in ours.items() for word in ("--conf", f"{key}={value}")]
        files = [str(path) for path in job.files()]
        archives = [f"{path}#{path.stem}" for path in job.archives]
        extra = ["--archives", ",".join(archives)] if archives else []
        return [*start, *pairs, *extra, "--files", ",".join(files), *words]

    def findings(self, job, status, log, lives):
        """Returns the differences from the expected run, as findings."""
        if status is None:
            yield finding("broken", f"the job still ran after {LIMIT} s: {log[-1:]}", "driver.py")
        elif status:
            last = [line for line in log if line.startswith("tfjob: ") or "Error" in line][-1:]
            yield finding("broken", f"the driver exited with {status}: {last}", "driver.py")
        started = {(life["role"], life["index"]) for life in lives}
        for role, index in job.everyone():
            if (role, index) not in started:
                yield finding("broken", f"{role}:{index} did not start", "tfjob_node.py")
        done = {(life["role"], life["index"]) for life in lives if life.get("done")}
        for role in job.job["roles"]:
            for index in range(role["decides"]):
                if status == 0 and (role["name"], index) not in done:
                    yield finding("broken", f"{role['name']}:{index} decides job success, but did not finish", "driver.py")
        again = {(life["role"], life["index"]) for life in lives if life["attempt"]}
        helpers = {role["name"] for role in job.job["roles"] if role["helper"] and not role["restart"]}
        for role, index in self.told_to_fail():
            if (role, index) not in again and role not in helpers:
                yield finding("broken", f"{role}:{index} failed, but was not restarted", "driver.py")
        attempt = max((life["attempt"] for life in lives), default=0)
        fed = sum(life.get("rows", 0) for life in lives if life["attempt"] == attempt)
        if status == 0 and job.rows is not None and fed != job.rows:
            yield finding("broken", f"{fed} of {job.rows} rows reached the tasks", "driver.py")

    def refused(self, status, log, words):
        """Returns findings for a task that the shim refuses: the driver must report the reason, and must not restart the job."""
        said = [line for line in log if line.startswith("tfjob: ")]
        if status != 1 or not said or words not in said[-1]:
            yield finding("broken", f"the driver exited with {status}, without {words!r}: {said[-1:]}", "driver.py")
        if any("restarting all tasks" in line for line in said):
            yield finding("broken", f"a job that the shim refuses was restarted: {said}", "driver.py")

    def told_to_fail(self):
        """Returns the tasks that must fail at their first attempt."""
        faults = json.loads((self.said / "faults").read_text())
        return [(role, int(index)) for role, _, index in (name.partition(":") for name in faults)]

    def shown(self, life):
        """Returns the environment of one task, without the variables that all executors have. Values of the running cluster
        become placeholders."""
        here, peers = life["env"]["TFJOB_HERE"], json.loads(life["env"]["TFJOB_PEERS"])
        swaps = [(address, f"<{role}-{index}>:<port>") for role, all_ in peers.items()
                 for index, address in enumerate(all_)]
        swaps += [(f"{self.programs}/", ""), (here, "<executor>"), (life["env"].get("TFJOB_FEED") or here, "<node>"),
                  (life["env"].get("TFJOB_FEED_KEY") or here, "<node>")]
        own = peers[life["role"]][life["index"]]
        whole = {own.rpartition(":")[2]: "<port>", own.rpartition(":")[0]: f"<{life['role']}-{life['index']}>"}

        def swap(text):
            for old, new in swaps:
                text = text.replace(old, new)
            return whole.get(text, text)

        bare = {*self.spark.environment(), "PWD", "OLDPWD", "SHLVL", "_", "PYTHONPATH", "PYTHONHASHSEED",
                "PYTHONUNBUFFERED", "PYSPARK_PYTHON"}
        env = {name: swap(value) for name, value in life["env"].items()
               if name not in bare and not name.startswith(("SPARK_", "PYTHON_", "JAVA_ARCH", "LS_", "TF2_"))}
        return {"role": life["role"], "index": life["index"], "env": env, "attempts": life["attempt"] + 1,
                "argv": [swap(word) for word in life["argv"]], "workdir": swap(life["workdir"]),
                **({"rows": life["rows"]} if "rows" in life else {})}


class Small:
    """A smaller form of the job for this machine, with few tasks per role, and with local files instead of remote ones."""

    def __init__(self, folder, scratch, argv, files):
        self.folder, self.warnings, self.archives = folder, [], []
        sent = ",".join(word for flag, word in zip(argv, argv[1:]) if flag == "--archives")
        self.aliases = [uri.partition("#")[2] or uri.rpartition("/")[2] for uri in sent.split(",") if uri]
        self.job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
        path = folder / "contract.json"
        self.contract = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        self.rows = None
        self.shrink()
        self.bring_rows(scratch, files)
        if self.job["fresh"]:
            self.job["fresh"]["path"] = str(scratch / "fresh")
        (folder / "job.json").write_text(json.dumps(self.job), encoding="utf-8")
        if self.contract:
            path.write_text(json.dumps(self.contract), encoding="utf-8")
            shim = folder / self.job["shim"]["program"]
            shutil.copy(os.environ.get("TFJOB_SHIM") or "/bin/false", shim)
            shim.chmod(0o755)

    def shrink(self):
        """Limits each role to two tasks."""
        self.whole = all(role["count"] <= TASKS for role in self.job["roles"])
        for role in [*self.job["roles"], *(self.contract or {"roles": []})["roles"]]:
            role["count"] = min(role["count"], TASKS)
            if "decides" in role:
                role["decides"] = min(role["decides"], TASKS)
        self.counts = {role["name"]: role["count"] for role in self.job["roles"]}
        self.tasks = sum(self.counts.values())

    def everyone(self):
        """Returns all tasks."""
        return [(role, index) for role, count in self.counts.items() for index in range(count)]

    def bring_rows(self, scratch, files):
        """Writes rows in the format of the job, in place of its data. Each of the files becomes a partition."""
        feed = self.job["feed"]
        if not feed:
            return
        # The path contains a comma, to detect readers that split paths at commas.
        path = scratch / f"rows,all{files}"
        path.mkdir(exist_ok=True)
        lines = [f"{number},x" for number in range(ROWS)]
        if feed["format"] == "json":
            lines = [json.dumps({"a": number}) for number in range(ROWS)]
        elif feed["options"].get("header") == "true":
            lines[::ROWS // files] = [f"a,b\n{line}" for line in lines[::ROWS // files]]
        elif feed["format"] not in ("csv", "text"):
            self.warnings.append(finding("warning", f"rows are fed as text, not as {feed['format']}", "job.json"))
            feed.update(format="text", options={})
        for at in range(0, ROWS, ROWS // files):
            text = "\n".join(lines[at : at + ROWS // files]) + "\n"
            (path / f"part-{at}").write_text(text, encoding="utf-8")
        feed["path"] = f"file://{path}"
        self.rows = ROWS * feed["epochs"]

    def programs(self):
        """Returns the program of every role, as seen by an executor."""
        for role in self.job["roles"]:
            argv = role["argv"]
            if argv:
                yield "".join("<executor>" if part is None else part for part in argv[0])
        for role in (self.contract or {"roles": []})["roles"]:
            first = role["run"].get("argv", [[]])[0]
            if first:
                yield seen(first)
            else:
                yield "python"

    def archive(self):
        """Creates each archive of the job, with the working directories of its tasks."""
        for alias in self.aliases:
            path = self.folder / f"{alias}.zip"
            with zipfile.ZipFile(path, "w") as whole:
                whole.writestr("of-the-job", "")
            self.archives.append(path)
        for name in {*self.workdirs()}:
            if name.count("/") > 1:
                self.into_archive(name[len("<executor>/"):] + "/here", "")

    def workdirs(self):
        """Returns the working directory of every role, as seen by an executor."""
        for role in self.job["roles"]:
            yield "".join("<executor>" if part is None else part for part in role["workdir"] or [])
        for role in (self.contract or {"roles": []})["roles"]:
            yield seen(role.get("workdir") or [])

    def into_archive(self, name, text):
        """Adds a program to the archive that its path names."""
        alias, _, rest = name.partition("/")
        for path in self.archives:
            if path.stem == alias:
                info = zipfile.ZipInfo(rest)
                info.external_attr = (stat.S_IFREG | 0o755) << 16
                with zipfile.ZipFile(path, "a") as whole:
                    whole.writestr(info, text)

    def files(self):
        """Returns the files that the compiler generates and that the script sends with the driver."""
        names = ["job.json", *(["contract.json", self.job["shim"]["program"]] if self.contract else [])]
        return [self.folder / name for name in names]


def seen(pieces):
    """Returns a text of the contract as an executor sees it. Its only variable part is the directory of the executor."""
    return "".join("<executor>" if "env" in piece else piece.get("text", "") for piece in pieces)
