"""The TensorFlow installation of this engine, and the start of its servers."""
import pathlib

from toolchain import apart, home
from toolchain.lines import Lines

HERE = pathlib.Path(__file__).resolve().parent
NAME = "spark-3.5.9"
PROOF = "lib/python3.11/site-packages/tensorflowonspark/TFCluster.py"


def environment():
    """Returns the Python environment with TensorFlow. Installs it at the first use."""
    return home.environment(NAME, HERE / "requirements.txt", PROOF)


def server(name):
    """Starts a server of this directory in the Python environment. The first line of its output is its version."""
    venv = environment()
    scratch = str(apart.scratch())
    env = {"PATH": f"{venv}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": scratch, "TMPDIR": scratch, "LANG": "C.UTF-8",
           "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "", "PYTHONDONTWRITEBYTECODE": "1"}
    lines = Lines([venv / "bin/python", HERE / name], cwd=scratch, env=env)
    lines.versions = lines.hear()
    return lines


def versions():
    """Returns the components of the engine with their versions."""
    apart.enter(environment)
    lines = server("resolver.py")
    lines.close()
    return lines.versions
