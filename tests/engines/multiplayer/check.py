#!/usr/bin/env python3
"""Lets clients of real engines join a server made with gamewire, over a good and over a bad network.

    tests/engines/multiplayer/check.py [SCENARIO...]

Builds the example `multiplayer_check`, starts it for each scenario, and starts several clients of
project/ (Godot 4) or project3/ (Godot 3) at once, over ENet and WebSocket. In the scenarios named
*_lossy, the datagrams of ENet pass a proxy that drops 15 % of them, repeats 5 % and delays all by up to
40 ms, so that they arrive in another order. Everything listens on 127.0.0.1 only.

Prints a line per scenario. The exit status is 1 if a check fails, and 3 if no engine is installed.

GODOT and GODOT3 are the commands of Godot 4 and of Godot 3's server. If they run in a chroot, ROOT is
its folder: ROOT=/srv/sid GODOT='chroot /srv/sid godot' …
"""

import heapq
import json
import os
import random
import select
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
ROOT = Path(os.environ.get("ROOT", "/"))
ENGINES = {
    4: shlex.split(os.environ.get("GODOT", "godot")),
    3: shlex.split(os.environ.get("GODOT3", "godot3-server")),
}
PROJECTS = {4: "project", 3: "project3"}
CALLS = 200
# Lines of the engines that say nothing about the game.
HARMLESS = ("Couldn't get executable path", "get_executable_path", "XDG_RUNTIME_DIR")


class Proxy(threading.Thread):
    """Passes datagrams between clients and a server, and loses, repeats and delays some."""

    def __init__(self, server_port, loss=0.15, repeats=0.05, delay=0.04, seed=1):
        super().__init__(daemon=True)
        self.loss, self.repeats, self.delay = loss, repeats, delay
        self.server = ("127.0.0.1", server_port)
        self.random = random.Random(seed)
        self.front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.front.bind(("127.0.0.1", 0))
        self.port = self.front.getsockname()[1]
        self.backs = {}  # a socket per client
        self.queue = []
        self.count = 0
        self.is_running = True

    def run(self):
        while self.is_running:
            now = time.monotonic()
            while self.queue and self.queue[0][0] <= now:
                _, _, sock, data, to = heapq.heappop(self.queue)
                sock.sendto(data, to)
            wait = min(0.05, max(0.0, self.queue[0][0] - now)) if self.queue else 0.05
            readable, _, _ = select.select([self.front, *self.backs.values()], [], [], wait)
            for sock in readable:
                self.forward(sock)

    def forward(self, sock):
        try:
            data, source = sock.recvfrom(65536)
        except ConnectionRefusedError:
            return
        if sock is self.front:
            if source not in self.backs:
                self.backs[source] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.post(self.backs[source], data, self.server)
        else:
            client = next(client for client, back in self.backs.items() if back is sock)
            self.post(self.front, data, client)

    def post(self, sock, data, to):
        if self.random.random() < self.loss:
            return
        for _ in range(2 if self.random.random() < self.repeats else 1):
            at = time.monotonic() + self.random.random() * self.delay
            self.count += 1
            heapq.heappush(self.queue, (at, self.count, sock, data, to))


class Process:
    """A process whose output is read in the background."""

    def __init__(self, command, **options):
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options
        )
        self.lines = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def events(self, name=None):
        found = [json.loads(line) for line in list(self.lines) if line.startswith('{"event"')]
        return [event for event in found if name in (None, event["event"])]

    def wait(self, seconds):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(2)

    def wait_for(self, name, seconds=20, count=1):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if len(self.events(name)) >= count:
                return True
            time.sleep(0.02)
        return False

    def errors(self):
        is_error = lambda line: "ERROR" in line or "WARNING" in line
        return [line for line in self.lines if is_error(line) and not any(text in line for text in HARMLESS)]


class Scenario:
    """A server, and what its clients do."""

    def __init__(self, name, engine, work):
        self.name, self.engine, self.work = name, engine, work
        self.problems = []
        lossy = name.endswith("_lossy")
        command = [str(work / "multiplayer_check"), str(engine)]
        if "range_coder" in name or engine == 3:
            command.append("range-coder")
        if "_ws" in name:
            command.append("ws")
        self.server = Process(command)
        if not self.server.wait_for("listening"):
            raise SystemExit(f"{name}: the server does not start: {self.server.lines}")
        ports = self.server.events("listening")[0]["value"]
        self.ports = {"enet": ports[0], "ws": ports[1]}
        self.proxy = None
        if lossy:
            self.proxy = Proxy(ports[0])
            self.proxy.start()
            self.ports["enet"] = self.proxy.port

    def client(self, name, transport, part="play", **options):
        values = {"transport": transport, "port": self.ports[transport], "name": name, "part": part}
        values |= {"calls": CALLS, "peers": 1} | options
        project = f"/tmp/gamewire-check/{PROJECTS[self.engine]}"
        if self.engine == 4:
            command = [*ENGINES[4], "--headless", "--path", project, "--"]
            command += [f"{key}={value}" for key, value in values.items()]
        else:
            command = [*ENGINES[3], "--path", project]
            command += [f"--{key}={value}" for key, value in values.items()]
        environment = os.environ | {"HOME": "/tmp"}
        return Process(command, env=environment)

    def check(self, condition, message):
        if not condition:
            self.problems.append(message)

    def finish(self, clients):
        for client in clients.values():
            client.wait(40)
        if self.proxy:
            self.proxy.is_running = False
        for name, client in clients.items():
            self.check(not client.errors(), f"{name} printed {client.errors()[:3]}")
        # A client does not know at once that another one has left.
        refused = [event for event in self.server.events("refused") if "UnknownReceiver" not in event["value"]]
        self.check(not refused, f"the server refused {refused[:3]}")
        self.server.process.kill()
        self.server.wait(5)

    def check_played(self, clients):
        """Checks what a client that played its part reports."""
        names = set(clients)
        for name, client in clients.items():
            done = client.events("done")
            if not done:
                self.problems.append(f"{name} has not finished; its last lines: {client.lines[-4:]}")
                continue
            value = done[0]["value"]
            self.check(value["in_order"] and value["counted"] == CALLS, f"{name}: calls {value}")
            self.check(set(value["hellos"]) == names - {name}, f"{name}: hellos of {value['hellos']}")
            if self.engine == 4:
                self.check(len(value["players"]) == len(names), f"{name}: players {value['players']}")
            self.check(not client.events("tick_out_of_order"), f"{name}: ticks out of order")
        counted = {}
        for event in self.server.events("count"):
            counted.setdefault(event["value"][0], []).append(event["value"][1])
        for peer, numbers in counted.items():
            self.check(numbers == list(range(CALLS)), f"the server got {len(numbers)} calls of {peer}")
        self.check(len(counted) == len(names), f"{len(counted)} peers called the server")
        left = self.server.wait_for("left", 10, len(names))
        self.check(left, f"the server saw {len(self.server.events('left'))} peers leave")


def play(scenario, transports, **options):
    clients = {}
    for index, transport in enumerate(transports):
        name = f"{transport}{index}"
        clients[name] = scenario.client(name, transport, peers=len(transports), **options)
    for client in clients.values():
        client.wait_for("done", 30)
    for client in clients.values():
        client.wait(20)
    scenario.check_played(clients)
    scenario.finish(clients)


def kicked(scenario, *transports):
    clients = {
        transport: scenario.client(transport, transport, part="kicked") for transport in transports
    }
    for name, client in clients.items():
        # A WebSocketClient of Godot 3 calls a clean end of the connection a failure.
        event = "failed" if (scenario.engine, name) == (3, "ws") else "server_disconnected"
        gone = client.wait_for(event, 20)
        scenario.check(gone, f"{name} was not disconnected: {client.lines[-3:]}")
    scenario.finish(clients)


def vanishing(scenario):
    """A client that is killed times out, and the other client is told."""
    stays = scenario.client("stays", "enet", part="wait")
    scenario.check(stays.wait_for("connected"), "the first client did not connect")
    dies = scenario.client("dies", "enet", part="wait")
    scenario.check(stays.wait_for("joined", count=2), "the first client was not told of the second")
    dies.process.kill()
    dies.wait(5)
    scenario.check(stays.wait_for("left", 45), "the first client was not told that the second is gone")
    scenario.check(len(scenario.server.events("left")) == 1, "the server did not see the timeout")
    stays.process.kill()
    scenario.finish({"stays": stays})


def refused_auth(scenario):
    """The server refuses the name `nobody`."""
    client = scenario.client("nobody", "enet", part="wait")
    scenario.check(client.wait_for("auth_failed", 20), "the client was not refused")
    scenario.check(not client.events("connected"), "a client without a right connected")
    client.process.kill()
    scenario.finish({})


MIXED = ["enet", "ws", "enet", "ws", "enet"]
SCENARIOS = {
    "godot4": (4, lambda scenario: play(scenario, MIXED)),
    "godot4_range_coder": (4, lambda scenario: play(scenario, ["enet"] * 3, compress=1)),
    "godot4_lossy": (4, lambda scenario: play(scenario, ["enet"] * 3)),
    "godot4_kicked": (4, lambda scenario: kicked(scenario, "enet", "ws")),
    "godot4_vanishing": (4, vanishing),
    "godot4_refused_auth": (4, refused_auth),
    "godot3": (3, lambda scenario: play(scenario, ["enet"] * 4)),
    "godot3_ws": (3, lambda scenario: play(scenario, ["ws"] * 4)),
    "godot3_lossy": (3, lambda scenario: play(scenario, ["enet"] * 3)),
    "godot3_kicked": (3, lambda scenario: kicked(scenario, "enet")),
    "godot3_kicked_ws": (3, lambda scenario: kicked(scenario, "ws")),
    "godot3_vanishing": (3, vanishing),
}


def build(work):
    command = ["cargo", "build", "--release", "--features", "server,compression"]
    subprocess.run([*command, "--example", "multiplayer_check"], cwd=REPOSITORY, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
    shutil.copy(target / "release" / "examples" / "multiplayer_check", work)
    for project in PROJECTS.values():
        folder = ROOT / "tmp" / "gamewire-check" / project
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(HERE / project, folder)


def main():
    engines = {engine for engine, command in ENGINES.items() if shutil.which(command[0])}
    if not engines:
        print("no engine is installed", file=sys.stderr)
        return 3
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        for name, (engine, run) in SCENARIOS.items():
            if engine not in engines or (sys.argv[1:] and name not in sys.argv[1:]):
                continue
            start = time.monotonic()
            scenario = Scenario(name, engine, Path(folder))
            run(scenario)
            failed |= bool(scenario.problems)
            print(f"{name}: {'FAILED' if scenario.problems else 'ok'} ({time.monotonic() - start:.1f} s)", flush=True)
            for problem in scenario.problems:
                print(f"    {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
