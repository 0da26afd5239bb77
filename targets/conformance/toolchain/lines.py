"""A server of an engine: a process that answers each line of JSON by one."""
import contextlib
import json
import subprocess

from toolchain.cases import Unavailable


class Lines:
    """The process, and the talk with it."""

    def __init__(self, command, **how):
        words = [str(word) for word in command]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **how)

    def hear(self):
        """Its next line."""
        line = self.process.stdout.readline()
        if not line:
            raise Unavailable(f"{self.process.args[0]} ended with {self.process.wait()}")
        return json.loads(line)

    def ask(self, question):
        """Its answer to a question."""
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return self.hear()

    def close(self):
        """Lets it end; all answers are there, so nothing is lost where it takes too long."""
        self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.process.kill()
        self.process.wait()
