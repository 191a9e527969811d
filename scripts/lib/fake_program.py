"""A simulated program with arbitrary responses to signal-viz, on its own socket."""

import json
import os
import socket
import threading
import time


class Graph:
    """A graph as JSON: definitions, nodes and edges."""

    def __init__(self):
        self.definitions, self.nodes, self.edges = [], [], []

    def add(self, kind, name=None, number=None, after=(), file="App/App.swift", function="run()", **more):
        """Adds a node that receives the values of others, with its own line, and returns its number."""
        number = number or len(self.nodes) + 1
        self.definitions.append({"id": number, "kind": kind, "fileID": file, "line": number, "function": function})
        self.nodes.append({"id": number, "definition": number, "name": name, "state": "live", "valueCount": 1, "findings": [], **more})
        self.edges += [{"source": source, "target": number, "kind": "data"} for source in after]
        return number


def hostile(names):
    """A chain with hostile names."""
    graph = Graph()
    last = ()
    for index, words in enumerate(names):
        last = (graph.add(words, words, after=last, file=f"{words}/{words}.swift", function=words, owner=words, failure=words, lastValue=words, scheduler=words,
                          state="failed" if index == 1 else "live", findings=["leaked"] if index == 2 else []),)
    return graph


def mixed():
    """260 nodes: chains that all differ, single nodes, a tree of combining operators, and a long chain."""
    graph = Graph()
    for chain in range(32):
        last = []
        for step in range(6):
            kind = ["emitter", "map", "filter", "scan", "debounce", "subscribe"][step]
            last = [graph.add(kind, f"input {chain}" if step == 0 else None, after=last, file=f"App/Feed{chain % 9}.swift", function=f"feed{chain}()")]
    for single in range(20):
        graph.add("property", f"setting {single}", file="App/Settings.swift", function=f"setting{single}()")
    last = [graph.add("emitter", "root")]
    for join in range(12):
        last = [graph.add("combineLatest", f"join {join}", after=last + [graph.add("property", f"option {join}", function=f"option{join}()")], function=f"join{join}()")]
    last = []
    while len(graph.nodes) < 260:
        last = [graph.add("map", after=last)]
    return graph


def churning(round):
    """A source with 24 permanent chains, and chains that begin and end in each round, each with its own names and length."""
    graph = Graph()
    source = graph.add("emitter", "requests")
    for chain in range(24):
        step = graph.add("map", f"stays {chain}", after=[source])
        graph.add("subscribe", f"view {chain}", after=[step])
    for chain in range(round, round + 8):
        last = [source] if chain % 2 else []
        for step, kind in enumerate(["map", "filter", "scan", "debounce"][:1 + chain % 4]):
            last = [graph.add(kind, f"request {chain} {'and more ' * (chain % 3)}{step}", number=1_000 + chain * 10 + step, after=last)]
    return graph


class FakeProgram:
    """Serves graphs, as SignalInspector does, until it is stopped. With the pid of the current process, it counts as running.

    Each answer has the next graph of a function of a number; where that is not given, always the one graph.
    """

    def __init__(self, folder, name, graph, next=None):
        started = time.time()
        process = {"name": name, "pid": os.getpid(), "startedAt": started}
        self.count = 0
        self.graph = graph
        self.next = next
        self.process = process
        self.hello = {"process": process, "protocolVersion": 1, "snapshotVersion": 1, "libraryVersion": "0.1.0", "capabilities": ["snapshot"]}
        self.id = f"{os.getpid()}-{int(started * 1000)}"
        self.path = os.path.join(folder, f"{self.id}.sock")
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
                answer = self.hello if path == b"/hello" else self._snapshot()
                head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" if path in (b"/hello", b"/snapshot") else b"HTTP/1.1 404 Not Found\r\n\r\n"
                try:
                    client.sendall(head + json.dumps(answer).encode())
                except OSError:
                    pass

    def _snapshot(self):
        self.count += 1
        if self.next:
            self.graph = self.next(self.count)
        for node in self.graph.nodes:
            node["valueCount"] += 1 if not self.next else self.count
        return {"version": 1, "process": self.process, "takenAt": time.time(), "definitions": self.graph.definitions,
                "nodes": self.graph.nodes, "edges": self.graph.edges}

    def end(self):
        self.socket.close()
        if os.path.exists(self.path):
            os.remove(self.path)
