"""Where this engine's TensorFlow lies, and how its servers are started."""
import pathlib

from toolchain import apart, home
from toolchain.lines import Lines

HERE = pathlib.Path(__file__).resolve().parent
NAME = "spark-3.5.9"
PROOF = "lib/python3.11/site-packages/tensorflowonspark/TFCluster.py"


def environment():
    """The Python environment that has TensorFlow; fetched on its first use."""
    return home.environment(NAME, HERE / "requirements.txt", PROOF)


def server(name):
    """A server of this folder, run by the Python that has TensorFlow; says who it is at once."""
    venv = environment()
    scratch = str(apart.scratch())
    env = {"PATH": f"{venv}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": scratch, "TMPDIR": scratch, "LANG": "C.UTF-8",
           "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "", "PYTHONDONTWRITEBYTECODE": "1"}
    lines = Lines([venv / "bin/python", HERE / name], cwd=scratch, env=env)
    lines.versions = lines.hear()
    return lines


def versions():
    """What judges, by name and version."""
    apart.enter(environment)
    lines = server("resolver.py")
    lines.close()
    return lines.versions
