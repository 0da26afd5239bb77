"""A server process of an engine. It answers each line of JSON with one line."""
import contextlib
import json
import subprocess

from toolchain.cases import Unavailable


class Lines:
    """The process and its communication."""

    def __init__(self, command, **how):
        words = [str(word) for word in command]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **how)

    def hear(self):
        """Returns the next line of the server."""
        line = self.process.stdout.readline()
        if not line:
            raise Unavailable(f"{self.process.args[0]} exited with {self.process.wait()}")
        return json.loads(line)

    def ask(self, question):
        """Returns the answer of the server to a question."""
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return self.hear()

    def close(self):
        """Waits until the server exits, or kills it. This loses nothing, because all answers have arrived."""
        self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.process.kill()
        self.process.wait()
