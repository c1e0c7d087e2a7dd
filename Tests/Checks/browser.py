"""Chromium without a window, spoken to by its DevTools protocol over a pipe (no port, no further package)."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time


class BrowserError(Exception):
    pass


class Browser:
    """One Chromium with one tab. Use as a context manager."""

    def __init__(self, chromium=None):
        program = chromium or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not program:
            sys.exit("checks: no chromium; run Tests/Checks/setup.sh")
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()
        options = [
            "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--no-first-run",
            "--no-default-browser-check", "--disable-extensions", "--disable-gpu", "--disable-dev-shm-usage",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
            "--force-color-profile=srgb", "--hide-scrollbars", "--password-store=basic", "--use-mock-keychain",
            # Nothing outside is reached, whatever a page asks for.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost", "--no-proxy-server",
        ]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        # The protocol reads from descriptor 3 and writes to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "chromium", program, *options, "about:blank"],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile},
        )
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        targets = self.call("Target.getTargets", timeout=60)["targetInfos"]
        page = next((t for t in targets if t["type"] == "page"), None)
        identity = page["targetId"] if page else self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=identity, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close", timeout=5)
            self.process.wait(10)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _next(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise BrowserError("no answer in time")
            chunk = os.read(self.read_end, 1 << 20)
            if not chunk:
                raise BrowserError("the browser ended")
            self.buffer += chunk
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, timeout=30, **parameters):
        """The result of one command; events met on the way are kept in `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        deadline = time.monotonic() + timeout
        while True:
            answer = self._next(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method, timeout=30):
        deadline = time.monotonic() + timeout
        while True:
            for event in self.events:
                if event.get("method") == method:
                    return event
            self.events.append(self._next(deadline))

    def open(self, url, settle=0.15):
        """Loads a page and waits until it is loaded and two frames are painted."""
        self.events = [e for e in self.events if e.get("method") != "Page.loadEventFired"]
        result = self.call("Page.navigate", url=url)
        if result.get("errorText"):
            raise BrowserError(f"{url}: {result['errorText']}")
        self.wait_for("Page.loadEventFired")
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        time.sleep(settle)

    def evaluate(self, expression):
        """A value from a world of its own, which the page's policies and scripts do not reach."""
        frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        world = self.call("Page.createIsolatedWorld", frameId=frame, worldName="checks")["executionContextId"]
        result = self.call(
            "Runtime.evaluate", expression=expression, contextId=world, returnByValue=True, awaitPromise=True, timeout=60
        )
        if "exceptionDetails" in result:
            raise BrowserError(str(result["exceptionDetails"].get("exception", {}).get("description")))
        return result["result"].get("value")

    def view(self, width, height, scheme, media=""):
        """Sets the window and the reader's preferences."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def screenshot(self, path, width, most=6000):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": width, "height": max(1, min(most, size["height"])), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip, timeout=60)["data"]
        path.write_bytes(base64.b64decode(data))

    def pdf(self, path):
        data = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True, timeout=60)["data"]
        path.write_bytes(base64.b64decode(data))
        return path.stat().st_size

    def complaints(self):
        """Errors that the page's console would show, since the last call."""
        found = []
        for event in self.events:
            method, p = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = p["exceptionDetails"]
                found.append(details.get("exception", {}).get("description") or details.get("text", ""))
            elif method == "Runtime.consoleAPICalled" and p.get("type") in ("error", "assert"):
                found.append(" ".join(str(a.get("value", a.get("description", ""))) for a in p.get("args", [])))
            elif method == "Log.entryAdded" and p["entry"].get("level") == "error":
                found.append(f"{p['entry'].get('text')} {p['entry'].get('url', '')}")
            elif method == "Network.requestWillBeSent":
                url = p.get("request", {}).get("url", "")
                if url.startswith("http") and not url.startswith(("http://127.0.0.1", "http://localhost")):
                    found.append(f"asks another host for {url}")
        self.events = []
        return list(dict.fromkeys(found))
