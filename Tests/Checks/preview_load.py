#!/usr/bin/env python3
"""The preview server under load and bad manners, on this machine only.

usage: preview_load.py STILLFEED [--only NAME] [--long] [--requests N] [--mutations N] [--signals N]

paths        every target of Fixtures/hostile/http-paths.txt: nothing from outside the site
headers      the type, policy and nosniff of each kind of file
hosts        only 127.0.0.1 listens; other names are refused
malformed    --mutations (2,000; long 10,000) mutated requests: each answered with an error, or closed within 10 s
slow         500 connections sending a byte every 2 s: closed within 15 s, other requests' p99 under 100 ms
many         1,000 idle and 1,000 active connections with 4,096 descriptors, and again with 256
leak         --requests (20,000; long 1,000,000), one in ten cut off: memory grows under 5 MB, descriptors stay
halves       50 requests a second during 20 rebuilds: only 200s, each body old or new
signals      INT, TERM and HUP at random times: ended within a second, nothing left behind

Prints a line with the measured figures for each; exits 1 if one is out of bounds.
"""

import argparse
import os
import random
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from preview_requests import GET, mutated
from preview_safety import headers, paths

def make_archive(folder):
    folder = Path(folder)
    (folder / "Content/posts").mkdir(parents=True, exist_ok=True)
    (folder / "stillfeed.yml").write_text("title: Load\n")
    for n in range(20):
        (folder / f"Content/posts/p{n}.md").write_text(f"---\nauthor: Ada\ndate: 2024-05-{n + 1:02}\n---\nPost {n} version 0.\n")


class Server:
    def __init__(self, program, folder, descriptors=4096, *options):
        self.folder = folder
        self.process = subprocess.Popen(
            ["prlimit", f"--nofile={descriptors}", program, "serve", "-C", folder, "--port", "0", "-q", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = self.process.stdout.readline().strip()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/", address)
        if not found:
            sys.exit(f"preview_load: no address: {address!r}")
        self.port = int(found.group(1))

    def connect(self, timeout=10):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def ask(self, request=GET, timeout=10):
        """Status (0 for none) and body."""
        with self.connect(timeout) as connection:
            connection.sendall(request)
            data = b""
            while True:
                block = connection.recv(1 << 16)
                if not block:
                    break
                data += block
        head, _, body = data.partition(b"\r\n\r\n")
        return int(head[9:12]) if head.startswith(b"HTTP/1.1 ") else 0, body

    @property
    def memory(self):
        """Resident memory in MB."""
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text()).group(1)) / 1024

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def settle(self, wanted, seconds):
        """Seconds until the descriptors are back at `wanted`."""
        start = time.monotonic()
        while self.descriptors > wanted and time.monotonic() - start < seconds:
            time.sleep(0.1)
        return time.monotonic() - start

    def stop(self, number=signal.SIGINT):
        start = time.monotonic()
        self.process.send_signal(number)
        status = self.process.wait(20)
        return time.monotonic() - start, status


def hosts(run):
    server = run.server()
    listening = subprocess.run(["ss", "-ltnH", f"sport = :{server.port}"], capture_output=True, text=True).stdout
    places = {line.split()[3] for line in listening.splitlines()}
    assert places == {f"127.0.0.1:{server.port}"}, places
    for host, wanted in [("127.0.0.1", 200), ("localhost:1", 200), ("evil.example", 421), ("10.0.0.1", 421)]:
        request = f"GET / HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n".encode()
        with server.connect() as connection:
            connection.sendall(request)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answer.startswith(f"HTTP/1.1 {wanted}".encode()), (host, answer[:40])
        assert b"access-control" not in answer.lower(), answer[:400]
    for head in [b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n"]:
        assert server.ask(head + b"Connection: close\r\n\r\n")[0] == 400
    return f"listens at {', '.join(places)} only"


def malformed(run):
    """Many at once, for most of the time goes by waiting for what never comes."""
    server = run.server()
    source = random.Random(20)
    statuses, slowest, left = {}, 0.0, run.mutations
    waiting = selectors.DefaultSelector()
    while left or waiting.get_map():
        while left and len(waiting.get_map()) < 400:
            left -= 1
            connection = server.connect()
            try:
                connection.sendall(mutated(source))
            except OSError:
                pass
            connection.setblocking(False)
            waiting.register(connection, selectors.EVENT_READ, [time.monotonic(), b""])
        for key, _ in waiting.select(0.2):
            try:
                block = key.fileobj.recv(65536)
            except OSError:
                block = b""
            if block:
                if len(key.data[1]) < 64:
                    key.data[1] += block
                continue
            status = key.data[1][9:12].decode("latin-1") if key.data[1].startswith(b"HTTP/1.") else "closed"
            statuses[status] = statuses.get(status, 0) + 1
            slowest = max(slowest, time.monotonic() - key.data[0])
            waiting.unregister(key.fileobj)
            key.fileobj.close()
        for key in list(waiting.get_map().values()):
            assert time.monotonic() - key.data[0] < 14, f"left hanging: {key.data[1][:60]}"
    assert server.process.poll() is None and server.ask()[0] == 200
    odd = [s for s in statuses if s not in ("closed", "200", "206", "304", "301", "100") and not s.startswith(("4", "5"))]
    assert not odd and slowest < 10, (statuses, slowest)
    return f"{run.mutations} requests, slowest {slowest:.1f} s, {dict(sorted(statuses.items()))}"


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


def slow(run):
    server = run.server()
    clients = [server.connect() for _ in range(500)]
    for client in clients:
        client.setblocking(False)
    start, closed, times = time.monotonic(), {}, []
    text = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100
    step = 0
    while len(closed) < len(clients) and time.monotonic() - start < 25:
        if time.monotonic() - start > step * 2:
            for index, client in enumerate(clients):
                if index not in closed:
                    try:
                        client.send(text[step:step + 1])
                    except OSError:
                        pass
            step += 1
        for index, client in enumerate(clients):
            if index in closed:
                continue
            try:
                if client.recv(1000) == b"":
                    closed[index] = time.monotonic() - start
            except BlockingIOError:
                pass
            except OSError:
                closed[index] = time.monotonic() - start
        begun = time.monotonic()
        assert server.ask()[0] == 200
        times.append(time.monotonic() - begun)
        time.sleep(0.02)
    assert len(closed) == len(clients), f"{len(clients) - len(closed)} still open"
    last, p99 = max(closed.values()), percentile(times, 0.99)
    assert last < 15 and p99 < 0.1, (last, p99)
    return f"all closed after {last:.1f} s, p99 of {len(times)} others {p99 * 1000:.1f} ms"


def crowd(server, idle, active):
    """Bodies that were wrong, answers, refusals."""
    before = server.descriptors
    _, wanted = server.ask()
    idlers = []
    for _ in range(idle):
        try:
            idlers.append(server.connect(5))
        except OSError:
            pass
    counts = {"right": 0, "refused": 0, "wrong": 0}
    waiting = selectors.DefaultSelector()
    for _ in range(active):
        try:
            connection = server.connect(5)
            connection.sendall(GET)
        except OSError:
            counts["refused"] += 1
            continue
        connection.setblocking(False)
        waiting.register(connection, selectors.EVENT_READ, [b""])
    end = time.monotonic() + 30
    while waiting.get_map() and time.monotonic() < end:
        for key, _ in waiting.select(1):
            try:
                block = key.fileobj.recv(1 << 16)
            except OSError:
                block = b""
            if block:
                key.data[0] += block
                continue
            head, _, body = key.data[0].partition(b"\r\n\r\n")
            if head.startswith(b"HTTP/1.1 200"):
                counts["right" if body == wanted else "wrong"] += 1
            else:
                counts["refused"] += 1
            waiting.unregister(key.fileobj)
            key.fileobj.close()
    counts["hanging"] = len(waiting.get_map())
    for idler in idlers:
        idler.close()
    start = time.monotonic()
    while True:
        try:
            if server.ask(timeout=2)[0] == 200:
                break
        except OSError:
            pass
        assert time.monotonic() - start < 10, "not back within 10 s"
    back = server.settle(before, 15)
    assert counts["wrong"] == 0 and counts["hanging"] == 0, counts
    assert server.descriptors <= before, (server.descriptors, before)
    return f"{counts}, descriptors back at {before} after {back:.1f} s"


def many(run):
    words = []
    for descriptors in (4096, 256):
        server = run.server(descriptors=descriptors)
        words.append(f"{descriptors}: {crowd(server, 1000, 1000)}")
        server.stop()
    return "; ".join(words)


def leak(run):
    server = run.server()

    def hammer(requests, results):
        keep = GET.replace(b"Connection: close\r\n", b"")
        done = 0
        while done < requests:
            try:
                connection = server.connect()
                # Ten requests a connection, the last of which is cut off half way.
                for number in range(10):
                    done += 1
                    if number == 9:
                        connection.sendall(keep[:random.randrange(1, len(keep))])
                        break
                    connection.sendall(keep)
                    data = b""
                    while b"\r\n\r\n" not in data:
                        block = connection.recv(1 << 16)
                        if not block:
                            raise OSError("closed")
                        data += block
                    head, _, body = data.partition(b"\r\n\r\n")
                    if not head.startswith(b"HTTP/1.1 200"):
                        raise OSError("refused")
                    size = int(re.search(rb"Content-Length: (\d+)", head).group(1))
                    while len(body) < size:
                        body += connection.recv(1 << 16)
                connection.close()
            except OSError:
                results["failed"] = results.get("failed", 0) + 1

    def burst(requests):
        results = {}
        threads = [threading.Thread(target=hammer, args=(requests // 4, results)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    idle = server.descriptors
    burst(max(2000, run.requests // 20))
    server.settle(idle, 15)
    memory, descriptors, start = server.memory, server.descriptors, time.monotonic()
    results = burst(run.requests)
    rate = run.requests / (time.monotonic() - start)
    server.settle(descriptors, 15)
    grown = server.memory - memory
    assert grown < 5 and server.descriptors <= descriptors and not results, (grown, server.descriptors, descriptors, results)
    return f"{run.requests} requests at {rate:.0f}/s: {grown:+.2f} MB on {memory:.1f}, descriptors {descriptors} → {server.descriptors}"


def halves(run):
    server = run.server()
    folder = Path(server.folder)
    versions, stop, statuses, torn = [0], threading.Event(), {}, []

    def ask():
        while not stop.is_set():
            before = versions[-1]
            number = random.randrange(20)
            status, body = server.ask(GET.replace(b"/ ", b"/posts/p%d/ " % number, 1))
            statuses[status] = statuses.get(status, 0) + 1
            # Twenty files are not changed at once: a build may see two versions, a page never does.
            found = {int(v) for v in re.findall(rb"Post %d version (\d+)\." % number, body)}
            if len(found) != 1 or not body.rstrip().endswith(b"</html>") or not max(0, before - 1) <= min(found) <= versions[-1] + 1:
                torn.append((before, found, body[-40:]))
            time.sleep(0.005)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for version in range(1, 21):
        for n in range(20):
            path = folder / f"Content/posts/p{n}.md"
            fresh = path.with_name(f".p{n}.new")
            fresh.write_text(f"---\nauthor: Ada\ndate: 2024-05-{n + 1:02}\n---\nPost {n} version {version}.\n")
            os.replace(fresh, path)
        deadline = time.monotonic() + 20
        while f"version {version}.".encode() not in server.ask(GET.replace(b"/ ", b"/posts/p19/ ", 1))[1]:
            assert time.monotonic() < deadline, f"version {version} never shows"
            time.sleep(0.02)
        versions.append(version)
    stop.set()
    for thread in threads:
        thread.join()
    rate = sum(statuses.values()) / (time.monotonic() - start)
    make_archive(server.folder)
    assert set(statuses) == {200} and not torn and rate >= 50, (statuses, rate, torn[:3])
    return f"{sum(statuses.values())} answers at {rate:.0f}/s during 20 rebuilds, all whole"


def signals(run):
    source, slowest, statuses = random.Random(3), 0.0, set()
    for number in range(run.signals):
        sent = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP][number % 3]
        server = run.server()
        with server.connect() as stream:
            stream.sendall(b"GET /.stillfeed/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            if number % 2:
                (Path(server.folder) / "Content/posts/p1.md").write_text(f"---\nauthor: Ada\ndate: 2024-05-02\n---\nPost 1 version {number}.\n")
            time.sleep(source.random() * 0.3)
            seconds, status = server.stop(sent)
        slowest = max(slowest, seconds)
        statuses.add(status)
        left = os.listdir(Path(server.folder) / ".stillfeed/preview/pages")
        assert not left, f"left behind: {left}"
    make_archive(run.folder)
    assert slowest < 1 and statuses == {0}, (slowest, statuses)
    return f"{run.signals} signals, slowest end {slowest * 1000:.0f} ms, status {statuses}, nothing left"


CASES = [paths, headers, hosts, malformed, slow, many, leak, halves, signals]


class Run:
    def __init__(self, arguments, folder):
        self.program = os.path.abspath(arguments.stillfeed)
        self.folder = folder
        self.requests, self.mutations, self.signals = arguments.requests, arguments.mutations, arguments.signals
        self.servers = []

    def server(self, *options, descriptors=4096):
        server = Server(self.program, self.folder, descriptors, *options)
        self.servers.append(server)
        return server

    def stop(self):
        for server in self.servers:
            if server.process.poll() is None:
                server.stop()
        self.servers = []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stillfeed")
    parser.add_argument("--only", default="")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--requests", type=int)
    parser.add_argument("--mutations", type=int)
    parser.add_argument("--signals", type=int)
    arguments = parser.parse_args()
    for name, short, long in [("requests", 20_000, 1_000_000), ("mutations", 2000, 10_000), ("signals", 12, 100)]:
        if getattr(arguments, name) is None:
            setattr(arguments, name, long if arguments.long else short)
    import resource
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    folder = tempfile.mkdtemp(prefix="stillfeed-load-")
    make_archive(folder)
    run, failures = Run(arguments, folder), 0
    try:
        for case in CASES:
            if arguments.only and arguments.only != case.__name__:
                continue
            try:
                print(f"{case.__name__}: {case(run)}", flush=True)
            except (AssertionError, OSError) as error:
                failures += 1
                print(f"{case.__name__}: FAILED: {error!r}", flush=True)
            run.stop()
    finally:
        run.stop()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
