"""Headless Chromium by the pipe of its debugging protocol: nothing but Python's own library."""

import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, program="chromium"):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_there, self.out = os.pipe()
        self.into, write_there = os.pipe()
        # Chromium reads commands from 3 and writes to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{read_there} 4>&{write_there}', "bash", program,
             "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}"],
            pass_fds=[read_there, write_there], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.call("Browser.close", seconds=5)
            self.process.wait(10)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.into)
        self.profile.cleanup()

    def call(self, method, seconds=60, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session and not method.startswith("Target."):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + seconds
        while True:
            answer = self.message(end)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def message(self, end):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.into], [], [], max(0, end - time.monotonic()))
            part = os.read(self.into, 1 << 20) if ready else b""
            if not part:
                raise RuntimeError("Chromium does not answer")
            self.buffer += part
        line, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(line)

    def open(self, address, dark=False, width=1280, height=900):
        """A page of a visitor who was never here; returns when it has loaded."""
        self.session = None
        visitor = self.call("Target.createBrowserContext", disposeOnDetach=True)
        target = self.call("Target.createTarget", url="about:blank", **visitor)["targetId"]
        self.session = self.call(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.events.clear()
        self.call("Page.navigate", url=address)
        self.wait("Page.loadEventFired")
        return target

    def close(self, target):
        self.session = None
        self.call("Target.closeTarget", targetId=target)

    def wait(self, event, seconds=60):
        end = time.monotonic() + seconds
        while not any(one.get("method") == event for one in self.events):
            self.events.append(self.message(end))

    def run(self, script):
        """The value of a script's promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description"))
        return answer["result"].get("value")

    def taken(self, kind, *path):
        """What the events of a kind say at a path, and forgets nothing."""
        found = []
        for one in self.events:
            if one.get("method") == kind:
                value = one["params"]
                for part in path:
                    value = value.get(part, {}) if isinstance(value, dict) else value
                found.append(value)
        return found
