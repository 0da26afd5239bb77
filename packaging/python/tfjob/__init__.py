"""Locates the `tfjob` program that this package installs."""
import sysconfig
from importlib.metadata import version
from pathlib import Path

__all__ = ["__version__", "program", "shim"]
__version__ = version("tfjob")


def program() -> Path:
    """Returns the path of the `tfjob` program.

    Raises:
        FileNotFoundError: the program is missing from the scripts directory of this environment.
    """
    return _script("tfjob")


def shim() -> Path:
    """Returns the path of `tfjob-shim`, the static program for containers.

    Raises:
        FileNotFoundError: the program is missing from the scripts directory of this environment.
    """
    return _script("tfjob-shim")


def _script(name: str) -> Path:
    # A user installation (`pip install --user`) has its own scripts directory.
    schemes = [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")]
    places = [Path(sysconfig.get_path("scripts", scheme)) / name for scheme in schemes]
    # `pip install --target DIR` puts scripts into DIR/bin, next to this package.
    places.append(Path(__file__).resolve().parent.parent / "bin" / name)
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(f"{name} is not in {', '.join(str(place.parent) for place in places)}")
