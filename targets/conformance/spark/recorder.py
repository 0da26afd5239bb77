"""Takes the place of every program. Records the call, and runs the program only if it is harmless."""
import json
import os
import sys

HARMLESS = {"basename", "cat", "cut", "date", "dirname", "env", "expr", "grep", "id", "ls", "mktemp", "printenv",
            "printf", "pwd", "readlink", "realpath", "sed", "sh", "sort", "test", "tr", "true", "uname", "wc"}


def main():
    """Records the call, then runs the program or reports success."""
    name, env = os.path.basename(sys.argv[0]), dict(os.environ)
    record, real = env.pop("REFEREE_RECORD"), env.pop("REFEREE_PATH")
    call = {"program": name, "argv": sys.argv[1:], "env": env, "cwd": os.getcwd()}
    with open(record, "a", encoding="utf-8", errors="surrogateescape") as file:
        file.write(json.dumps(call) + "\n")
    if name not in HARMLESS:
        return 0
    for folder in real.split(":"):
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            os.execv(path, [name, *sys.argv[1:]])
    return 127


sys.exit(main())
