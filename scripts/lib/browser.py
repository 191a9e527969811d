"""Headless Chromium, driven over the two pipes of its DevTools protocol: only Chromium has to be installed."""

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time


class Browser:
    """A browser with a temporary profile, which is removed at the end."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="signals-browser.")
        to_child, self.output = os.pipe()
        self.input, from_child = os.pipe()
        def descriptors():
            # The descriptors of --remote-debugging-pipe. The copies are created above both first, so that none is overwritten.
            reading, writing = os.dup2(to_child, 13), os.dup2(from_child, 14)
            os.dup2(reading, 3), os.dup2(writing, 4)
        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
             "--disable-extensions", "--disable-sync", "--mute-audio", "--hide-scrollbars", "--force-color-profile=srgb",
             f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        os.close(to_child)
        os.close(from_child)
        self.number = 0
        self.answers = {}
        self.listeners = []
        self.pages = []
        self.arrived = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        rest = b""
        while chunk := os.read(self.input, 1 << 16):
            *messages, rest = (rest + chunk).split(b"\0")
            for message in map(json.loads, messages):
                with self.arrived:
                    if "id" in message:
                        self.answers[message["id"]] = message
                    for listener in self.listeners:
                        listener(message)
                    self.arrived.notify_all()
        with self.arrived:
            self.answers = None
            self.arrived.notify_all()

    def call(self, method, session=None, **parameters):
        """Calls a method of the protocol, and returns its result."""
        with self.arrived:
            self.number += 1
            number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        with self.arrived:
            if not self.arrived.wait_for(lambda: self.answers is None or number in self.answers, timeout=60):
                raise RuntimeError(f"Chromium did not answer {method} within 60 s")
            if self.answers is None:
                raise RuntimeError("Chromium ended")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def page(self, address, width=1280, height=800, dark=False, before=None, window=False):
        """A new page, with a script that runs before those of the page; in a new window, or in front of the others."""
        return Page(self, address, width, height, dark, before, window)

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(timeout=10)
        except Exception:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """One page; `complaints` has its console errors."""

    def __init__(self, browser, address, width, height, dark, before, window):
        self.browser = browser
        self.complaints = []
        self.requests = []
        target = browser.call("Target.createTarget", url="about:blank", newWindow=window)["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.listeners.append(self._listen)
        browser.pages.append(self)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.size(width, height)
        self.prefer(dark)
        if before:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.call("Page.navigate", url=address)

    def _listen(self, message):
        if message.get("sessionId") != self.session:
            return
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"]["text"] + " " + parameters["entry"].get("url", ""))
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(item.get("value", "")) for item in parameters["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, dark):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def run(self, script):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, script, what, seconds=60):
        """Waits until an expression is truthy, and returns its value, which must not be an object."""
        deadline = time.monotonic() + seconds
        while True:
            reason = ""
            try:
                value = self.run(script)
                if value:
                    return value
            except RuntimeError as error:
                # The page may not have loaded yet.
                reason = f" ({error})"
            if time.monotonic() > deadline:
                raise AssertionError(f"within {seconds} s: {what}{reason}")
            time.sleep(0.05)

    def memory(self):
        """The heap of the scripts, in bytes, and the number of elements, without garbage."""
        self.call("HeapProfiler.enable")
        for _ in range(3):
            self.call("HeapProfiler.collectGarbage")
        return self.call("Runtime.getHeapUsage")["usedSize"], self.call("Memory.getDOMCounters")["nodes"]

    def names(self):
        """The role and the name of every focusable element, as a screen reader announces them."""
        found = []
        for node in self.call("Accessibility.getFullAXTree")["nodes"]:
            isFocusable = any(item["name"] == "focusable" and item["value"]["value"] for item in node.get("properties", []))
            if isFocusable and not node.get("ignored"):
                found.append((node["role"]["value"], node.get("name", {}).get("value", "")))
        return found

    def key(self, key, text=None, code=None, number=0, shift=False):
        parameters = {"key": key, "code": code or key, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, x, y, count=1):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count)

    def wheel(self, x, y, delta):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta)

    def shot(self, path):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        with open(path, "wb") as file:
            file.write(data)
        return data

    def close(self):
        self.browser.listeners.remove(self._listen)
        self.browser.pages.remove(self)
        self.browser.call("Target.closeTarget", targetId=self.target)
