"""Runs `tfjob`: `python -m tfjob check JOB.tfjob.kdl`."""
import os
import sys

from tfjob import program

path = str(program())
os.execv(path, [path, *sys.argv[1:]])
