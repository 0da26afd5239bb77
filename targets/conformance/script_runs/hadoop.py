"""Scripts of YARN services on a cluster with HDFS, run with the real command line of Hadoop: `yarn` and `hdfs` start the classes
that the programs of a release start."""
import contextlib
import os
import re
import shlex
import subprocess
import sys

from conformance import engines
from script_runs import spark
from script_runs.shell import Platform, first_line, stop

HERE = engines.HERE / "script_runs"
sys.path.insert(0, str(engines.HERE / "jvm"))
import launch  # noqa: E402

# Of the two releases of the engine (3.3.6 and 3.4.2), only this one has a published REST API of services.
LINE = "3.4.2"
LOG = """log4j.rootLogger=INFO,err
log4j.appender.err=org.apache.log4j.ConsoleAppender
log4j.appender.err.target=System.err
log4j.appender.err.layout=org.apache.log4j.PatternLayout
log4j.appender.err.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
"""
# The classes of `bin/yarn` and `bin/hdfs` for the commands that the scripts use.
WRAPPER = """#!/bin/sh
name=$1
case ${{0##*/}}-$name in
yarn-app | yarn-application) class=org.apache.hadoop.yarn.client.cli.ApplicationCLI ;;
yarn-logs) class=org.apache.hadoop.yarn.client.cli.LogsCLI && shift ;;
hdfs-dfs) class=org.apache.hadoop.fs.FsShell && shift ;;
*) echo "${{0##*/}}: $name is not a command of this test" >&2 && exit 64 ;;
esac
exec {java} "$class" "$@"
"""
# The tasks run until the service is stopped.
SPEC = """job "scripts" {
    framework "custom"
    code "./src"
    run "sh" "-c" "echo hello from task {index}; exec sleep 600"
    resources cpus=1 memory="128MiB"
    stop grace="5s"
    role "worker" count=2
    allow "restart" because="the test takes a minute"
    target "yarn" { hadoop "3.4"; dns-domain "ycluster"; kill-delay "5s" }
}
"""
# A service with placement constraints is sent to the REST API with curl.
POSTED = """job "posted" {
    framework "custom"
    run "sleep" "600"
    resources cpus=1 memory="128MiB"
    role "worker" count=2 { placement { spread "host" } }
    allow "restart" because="the test takes a minute"
    target "yarn" {
        hadoop "3.4"; dns-domain "ycluster"; placement-constraints #true
        resource-manager "http://MANAGER"; user "USER"
    }
}
"""


def check(folder, verbose):
    """Runs all scripts, and returns the faults."""
    with cluster(folder) as (programs, conf, _):
        env = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
        here = Platform("yarn", folder, env, verbose)
        # Spark needs most of a minute to start, so its job starts first.
        application = spark.Application(here, conf)
        service(here, here.compiled(SPEC))
        posted(here, conf)
        application.check()
        return here.faults


def service(here, job):
    """A service from its submission to its deletion. Each script also runs twice."""
    if job.names() != ["delete.sh", "logs.sh", "status.sh", "submit.sh"]:
        here.fault(f"the scripts are {job.names()}")
    nothing = "YARN lists no application of type yarn-service with the name scripts"
    job.run("status.sh", code=1, has=["Service scripts not found", nothing])
    job.run("logs.sh", code=1, has=[nothing])
    skipped = r"^skipped: yarn app -destroy scripts \(already done\)$"
    job.run("delete.sh", has=[skipped])
    missing = "the failed command checks that `tfjob-shim` is in the directory of the spec"
    job.run("submit.sh", code=1, has=[missing], lacks=["hdfs dfs"])
    job.add_shim()
    job.run("submit.sh", has=["Application ID: application_"])
    again = r"the failed command .*first run `hdfs dfs -rm -r -f \.tfjob/scripts`"
    job.run("submit.sh", code=1, has=["File exists", again], lacks=["-put", "-launch"])
    # The state of the service can remain STARTED (`is_ready` in live_runs/yarn.py).
    job.until("status.sh", '"state":"READY".*"state":"READY"')
    job.run("status.sh", has=[r"^\s*State : RUNNING$"])
    job.run("logs.sh", has=["^hello from task 0$", "^hello from task 1$"], lacks=["launch_container", "directory.info"])
    flexed = here.call("yarn", "app", "-flex", "scripts", "-component", "worker", "3")
    job.until("status.sh", '"component_instance_name":"worker-2"')
    if flexed.code or "successfully flexed" not in flexed.out + flexed.err:
        here.fault(f"`yarn app -flex` does not change the number of containers: {flexed}")
    launched = here.call("yarn", "app", "-launch", "scripts", job.folder / "Yarnfile.json")
    if launched.code != 56 or "Service name scripts is already taken" not in launched.err:
        here.fault(f"YARN accepts a second service of the same name: {launched}")
    here.call("yarn", "app", "-stop", "scripts")
    job.until("status.sh", r"^\s*State : FINISHED$")
    job.run("submit.sh", code=1, has=["File exists"])
    job.run("delete.sh", has=["Successfully destroyed service scripts", "^Deleted .tfjob/scripts$"])
    job.run("delete.sh", has=[skipped], lacks=["^Deleted"])
    job.run("status.sh", has=["Service scripts not found", r"^\s*State : FINISHED$"])
    job.until("logs.sh", "^hello from task 1$")
    # Why there is no update.sh: the new task is none of the job, whose tasks keep their list of peers.
    job.run("logs.sh", has=["the platform reports task index 2 of role `worker`, but"])


def posted(here, conf):
    """A service that is posted to the REST API, and deleted while it runs."""
    site = (conf / "yarn-site.xml").read_text(encoding="utf-8")
    manager = re.search("<name>yarn.resourcemanager.webapp.address</name><value>([^<]+)", site).group(1)
    user = here.call("id", "-un").out.strip()
    job = here.compiled(POSTED.replace("MANAGER", manager).replace("USER", user))
    job.run("submit.sh", has=["Application ID: application_"])
    job.until("status.sh", r"^\s*State : RUNNING$")
    job.run("submit.sh", code=22, has=["already taken", "the failed command submits the service to the REST API"])
    job.run("delete.sh", has=["Successfully destroyed service posted"])
    job.run("delete.sh", has=["^skipped: yarn app -destroy posted"])


@contextlib.contextmanager
def cluster(work):
    """Starts the cluster. Yields the directory of its programs, the one of its site files, and a function that creates files in HDFS."""
    base = launch.build(engines.HERE / "yarn", launch.folder("yarn") / LINE, [f"-Dhadoop.version={LINE}"])
    path = launch.build(HERE / "yarn", launch.folder("yarn") / f"{LINE}-scripts", [f"-Dhadoop.version={LINE}"], base)
    conf, bin_, quiet, tmp = (work / name for name in ("conf", "bin", "quiet", "tmp"))
    for folder in (conf, bin_, quiet, tmp, *(conf / "webapps" / name for name in ("hdfs", "datanode"))):
        folder.mkdir(parents=True)
    (conf / "log4j.properties").write_text(LOG, encoding="utf-8")
    options = ["-Djava.util.logging.config.file=/dev/null"]
    command = launch.command(f"{conf}:{path}", "yarn.Serve", "1g", work, [str(conf)], options)
    client = launch.command(f"{conf}:{path}", "", "256m", tmp)
    for name in ("yarn", "hdfs"):
        text = WRAPPER.format(java=shlex.join(word for word in client if word))
        (bin_ / name).write_text(text, encoding="utf-8")
        (bin_ / name).chmod(0o755)
    with open(work / "cluster.log", "wb") as log:
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=launch.environment())
    try:
        if first_line(server) != b"ready\n":
            tail = (work / "cluster.log").read_text(errors="replace").splitlines()[-20:]
            raise engines.Unavailable("the YARN cluster does not start: " + "\n".join(tail))
        yield bin_, conf, lambda paths: create(server, paths)
    finally:
        stop(server, 20)


def create(server, paths):
    """Creates empty files in HDFS, with their directories."""
    server.stdin.write("".join(f"{path}\n" for path in paths).encode())
    server.stdin.flush()
    for path in paths:
        if server.stdout.readline() != b"created\n":
            raise engines.Unavailable(f"HDFS does not create {path}")
