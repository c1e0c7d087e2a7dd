#!/usr/bin/env python3
"""Open pages follow changes of the archive: `stillfeed serve`, watched through Chromium.

usage: live_reload.py STILLFEED [--only WORD] [--keep FOLDER]

Makes a small archive, serves it, and looks at what an open page does when a file changes: a chat at its
end shows the new message there within a second, a page scrolled elsewhere keeps its place, a style
sheet is swapped without a reload, an error shows over the page and goes when mended. Prints one line a
case and exits 1 if one fails.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import Browser  # noqa: E402

# The promise is a second; a busy machine gets a little more before the case fails.
PROMISE = float(os.environ.get("STILLFEED_LIVE_SECONDS", "1.0"))


def message(number, minute=0, text=None):
    return json.dumps({
        "id": f"m{number}", "author": "ada" if number % 2 else "ben", "date": f"2024-05-17T{10 + minute // 60:02}:{minute % 60:02}:00Z",
        "body": text or f"Message {number}, of a few words.",
    }) + "\n"


class Archive:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.write("stillfeed.yml", "title: Live\n")
        self.chat = self.write("Content/channels/talk/a.jsonl", "".join(message(n, n) for n in range(120)))
        self.count = 120
        for n in range(12):
            paragraphs = "\n\n".join(f"Paragraph {p} of post {n}. " * 8 for p in range(12))
            self.write(f"Content/posts/post-{n:02}.md", f"---\nauthor: Ada\ndate: 2024-05-{n + 1:02}\ntitle: Post {n}\n---\n{paragraphs}\n")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def say(self, text):
        with self.chat.open("a") as stream:
            stream.write(message(self.count, self.count, text))
        self.count += 1


class Server:
    def __init__(self, program, archive, *options):
        self.process = subprocess.Popen(
            [program, "serve", "-C", str(archive.folder), "--port", "0", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("http://127.0.0.1:"):
            sys.exit(f"live_reload: no address: {self.address!r} {self.process.stderr.read()}")

    def stop(self):
        """Seconds until Ctrl-C has ended it, and its status."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(10)
        return time.monotonic() - start, status


class Page:
    """A page in the browser; `mark` is lost when it is loaded again."""

    def __init__(self, browser, address):
        self.browser = browser
        browser.open(address)
        self.wait("document.readyState === 'complete'")
        # The stream of events has to stand before something changes.
        self.wait("performance.getEntriesByType('resource').some(e => e.name.includes('live.js'))")
        time.sleep(0.4)
        self.ask("document.documentElement.dataset.mark = 'old'")

    def ask(self, expression):
        return self.browser.evaluate(expression)

    @property
    def was_loaded_again(self):
        return self.ask("document.documentElement.dataset.mark || ''") != "old"

    def wait(self, expression, seconds=10.0):
        """Seconds until an expression is true; fails after `seconds`."""
        start = time.monotonic()
        while True:
            try:
                if self.ask(f"!!({expression})"):
                    return time.monotonic() - start
            except Exception as error:  # the page is just being replaced
                if time.monotonic() - start > seconds:
                    raise AssertionError(f"{expression}: {error}")
            if time.monotonic() - start > seconds:
                raise AssertionError(f"not within {seconds} s: {expression}")
            time.sleep(0.02)


def has(text):
    return f"document.querySelector('main').textContent.includes({json.dumps(text)})"


def chat_at_its_end(page, archive, server):
    page.ask("scrollTo(0, document.documentElement.scrollHeight)")
    page.wait("scrollY > 500")
    took = []
    for number in range(5):
        archive.say(f"News {number} at the end")
        took.append(page.wait(has(f"News {number} at the end")))
        page.wait("scrollY + innerHeight >= document.documentElement.scrollHeight - 4", 3)
        visible = page.ask("""(() => { const all = document.querySelectorAll('.m'), box = all[all.length - 1].getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight; })()""")
        assert visible, "the new message is out of view"
    assert max(took) < PROMISE, f"took {max(took):.2f} s"
    return f"{min(took) * 1000:.0f} to {max(took) * 1000:.0f} ms"


def chat_scrolled_elsewhere(page, archive, server):
    page.ask("document.querySelectorAll('.m')[40].scrollIntoView(); scrollBy(0, 7)")
    time.sleep(0.2)
    where = "document.getElementById('m-m60').getBoundingClientRect().top"
    before = page.ask(where)
    archive.say("Unseen for now")
    page.wait(has("Unseen for now"))
    time.sleep(0.5)
    after = page.ask(where)
    assert abs(before - after) < 3, f"moved by {after - before} px"
    return f"moved by {after - before:.1f} px"


def entry_added_above(page, archive, server):
    page.ask("document.querySelectorAll('main article')[3].scrollIntoView(); scrollBy(0, 30)")
    time.sleep(0.2)
    # The card of post 8, by its heading's words.
    where = "[...document.querySelectorAll('main article')].find(e => e.textContent.includes('of post 8')).getBoundingClientRect().top"
    before = page.ask(where)
    archive.write("Content/posts/newest.md", "---\nauthor: Ada\ndate: 2024-06-01\ntitle: The newest\n---\nAbove all others.\n")
    page.wait(has("Above all others"))
    time.sleep(0.5)
    after = page.ask(where)
    assert abs(before - after) < 3, f"moved by {after - before} px"
    return f"moved by {after - before:.1f} px"


def style_is_swapped(page, archive, server):
    page.ask("scrollTo(0, 333)")
    style = archive.folder / "Templates/assets/style.css"
    if not style.exists():
        builtin = Path(__file__).resolve().parents[2] / "Templates/assets/style.css"
        archive.write("Templates/assets/style.css", builtin.read_text())
        page.wait("document.documentElement.dataset.mark === 'old'")
        time.sleep(1.5)
        page.ask("document.documentElement.dataset.mark = 'old'")
    style.write_text(style.read_text() + "\nbody { outline: 3px solid rgb(1, 2, 3); }\n")
    took = page.wait("getComputedStyle(document.body).outlineColor === 'rgb(1, 2, 3)'")
    assert not page.was_loaded_again, "the page was loaded again"
    assert page.ask("document.querySelectorAll('link[rel=stylesheet]').length") == 1, "the old sheet stays"
    assert page.ask("scrollY") == 333, "the page moved"
    style.write_text(re.sub(r"\nbody \{ outline.*", "", style.read_text()))
    page.wait("getComputedStyle(document.body).outlineColor !== 'rgb(1, 2, 3)'")
    assert not page.was_loaded_again, "the page was loaded again the second time"
    return f"{took * 1000:.0f} ms"


def error_shows_and_goes(page, archive, server):
    good = (archive.folder / "stillfeed.yml").read_text()
    archive.write("stillfeed.yml", good + "timeZone: Nowhere/Land<script>\n")
    took = page.wait("document.querySelector('[role=alert]')")
    text = page.ask("document.querySelector('[role=alert]').textContent")
    assert "Nowhere/Land<script>" in text, text
    assert page.ask("document.querySelectorAll('[role=alert] *').length") == 0, "markup in the words"
    assert not page.was_loaded_again
    archive.write("stillfeed.yml", good)
    page.wait("!document.querySelector('[role=alert]')")
    assert not page.was_loaded_again, "loaded again although nothing changed"
    return f"{took * 1000:.0f} ms"


def other_pages_stay(page, archive, server):
    archive.write("Content/posts/post-03.md", (archive.folder / "Content/posts/post-03.md").read_text() + "\nOne line more.\n")
    time.sleep(1.5)
    assert not page.was_loaded_again, "a page that didn't change was loaded again"
    return "not loaded again"


def new_folder_appears(page, archive, server):
    archive.write("elsewhere/a.jsonl", message(1, 1, "From a moved folder"))
    os.rename(archive.folder / "elsewhere", archive.folder / "Content/channels/moved")
    took = page.wait("document.body.textContent.includes('moved')")
    return f"{took * 1000:.0f} ms"


CASES = [
    (chat_at_its_end, "channels/talk/"),
    (chat_scrolled_elsewhere, "channels/talk/"),
    (entry_added_above, ""),
    (style_is_swapped, "posts/post-05/"),
    (error_shows_and_goes, "posts/post-05/"),
    (other_pages_stay, "posts/post-05/"),
    (new_folder_appears, "channels/"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stillfeed")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    folder = arguments.keep or tempfile.mkdtemp(prefix="stillfeed-live-")
    archive = Archive(folder)
    server = Server(os.path.abspath(arguments.stillfeed), archive)
    failures = 0
    try:
        with Browser() as browser:
            browser.view(1280, 800, "light")
            for case, path in CASES:
                if arguments.only not in case.__name__:
                    continue
                name = case.__name__.replace("_", " ")
                try:
                    page = Page(browser, server.address + path)
                    words = case(page, archive, server)
                    complaints = [c for c in browser.complaints() if "ERR_ABORTED" not in c and "favicon.ico" not in c]
                    assert not complaints, complaints
                    print(f"{name}: {words}")
                except AssertionError as error:
                    failures += 1
                    print(f"{name}: FAILED: {error}")
    finally:
        seconds, status = server.stop()
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if seconds > 1 or status != 0:
        failures += 1
    print(f"Ctrl-C: ended with status {status} in {seconds * 1000:.0f} ms")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
