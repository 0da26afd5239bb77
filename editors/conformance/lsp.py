"""A minimal client of the Language Server Protocol."""
import json
import subprocess


def diagnostics(command, name, text):
    """Starts a server, opens a text, and returns its first findings."""
    uri = f"file:///specs/{name}"
    document = {"uri": uri, "languageId": "tfjob", "version": 1, "text": text}
    messages = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "rootUri": None}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
    ]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        server.stdin.flush()
        while True:
            size = 0
            while line := server.stdout.readline().strip():
                size = int(line.split(b":")[1]) if line.lower().startswith(b"content-length") else size
            if not size:
                raise EOFError("the server ended")
            message = json.loads(server.stdout.read(size))
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return message["params"]["diagnostics"]
    finally:
        server.kill()
        server.wait()
