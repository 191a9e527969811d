"""A program that says whatever a check wants: it answers what signal-viz asks, on a socket of its own."""

import json
import os
import socket
import threading
import time


class FakeProgram:
    """Serves a graph, as SignalInspector does, until it is ended. With the process number of whoever runs this, it counts as running."""

    def __init__(self, folder, name, names):
        started = time.time()
        process = {"name": name, "pid": os.getpid(), "startedAt": started}
        self.count = 0
        self.names = names
        self.graph = {"version": 1, "process": process, "definitions": [], "nodes": [], "edges": []}
        for index, words in enumerate(names):
            self.graph["definitions"].append(
                {"id": index, "kind": words, "fileID": f"{words}/{words}.swift", "line": index + 1, "function": words})
            self.graph["nodes"].append(
                {"id": index + 1, "definition": index, "name": words, "state": "failed" if index == 1 else "live", "valueCount": 1,
                 "owner": words, "failure": words, "lastValue": words, "scheduler": words, "findings": ["leaked"] if index == 2 else []})
            if index:
                self.graph["edges"].append({"source": index, "target": index + 1, "kind": "data"})
        self.hello = {"process": process, "protocolVersion": 1, "snapshotVersion": 1, "libraryVersion": "0.1.0", "capabilities": ["snapshot"]}
        self.path = os.path.join(folder, f"{os.getpid()}-{int(started * 1000)}.sock")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(self.path)
        os.chmod(self.path, 0o600)
        self.socket.listen(16)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            with client:
                request = b""
                while b"\r\n\r\n" not in request:
                    if not (more := client.recv(4096)):
                        break
                    request += more
                path = request.split(b" ")[1].split(b"?")[0] if b" " in request else b""
                self.count += 1
                for node in self.graph["nodes"]:
                    node["valueCount"] += 1
                answer = self.hello if path == b"/hello" else dict(self.graph, takenAt=time.time())
                head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" if path in (b"/hello", b"/snapshot") else b"HTTP/1.1 404 Not Found\r\n\r\n"
                try:
                    client.sendall(head + json.dumps(answer).encode())
                except OSError:
                    pass

    def end(self):
        self.socket.close()
        if os.path.exists(self.path):
            os.remove(self.path)
