#!/usr/bin/env python3
"""Records the captures of corpus/captures-diagnosis with real engines.

    tests/engines/diagnosis/record.py FOLDER [NAME...]

Runs a server and a client of the game in corpus/captures-diagnosis on loopback, with a proxy between
them that drops or delays the datagrams that a scenario selects, and writes NAME.pcap, the calls that each
side received (NAME.server.jsonl, NAME.client.jsonl) and the messages of both engines (NAME.server.log,
NAME.client.log) to FOLDER.

GODOT and GODOT3 are the commands of Godot 4 and of Godot 3's server. If they run in a chroot, ROOT is
its folder.
"""

import heapq
import os
import re
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

CORPUS = Path(__file__).resolve().parents[3] / "corpus" / "captures-diagnosis"
ROOT = os.environ.get("ROOT", "/")
ENGINES = {4: os.environ.get("GODOT", "godot"), 3: os.environ.get("GODOT3", "godot3-server")}
SIZES = {1: 8, 2: 48, 3: 44, 4: 8, 5: 4, 6: 6, 7: 8, 8: 24, 9: 8, 10: 12, 11: 16, 12: 24}


def commands(datagram):
    """Yields the type, the channel and the payload of each ENet command in an uncompressed datagram."""
    at = 4 if datagram[0] & 0x80 else 2
    while at + 4 <= len(datagram):
        kind, channel = datagram[at] & 15, datagram[at + 1]
        head = SIZES.get(kind)
        if head is None:
            return
        size = 0
        if kind in (6,):
            size = struct.unpack(">H", datagram[at + 4 : at + 6])[0]
        elif kind in (7, 8, 9, 12):
            size = struct.unpack(">H", datagram[at + 6 : at + 8])[0]
        yield kind, channel, datagram[at + head : at + head + size]
        at += head + size


def reliable(datagram):
    """Returns the channel and the sequence number of each reliable command that contains a packet."""
    at, found = 4 if datagram[0] & 0x80 else 2, []
    for kind, channel, payload in commands(datagram):
        if kind in (6, 8):
            found.append((channel, struct.unpack(">H", datagram[at + 2 : at + 4])[0]))
        at += SIZES[kind] + len(payload)
    return found


def when(direction, condition, delays, occurrence=1):
    """Returns a rule for the datagrams of a direction that contain a command for which `condition` is
    true. The datagram with the number `occurrence`, counted from 1, is forwarded once after each of
    `delays`, in seconds."""
    seen = [0]

    def rule(way, datagram):
        if way != direction or not any(condition(*command) for command in commands(datagram)):
            return None
        seen[0] += 1
        return delays if seen[0] == occurrence else None

    return rule


def lose(direction, channel, number, times):
    """Returns a rule that drops the reliable command with this sequence number this many times."""
    lost = [0]

    def rule(way, datagram):
        if way != direction or (channel, number) not in reliable(datagram) or lost[0] == times:
            return None
        lost[0] += 1
        return []

    return rule


def spawn(kind, _, payload):
    return kind == 6 and payload[:1] == b"\4"


def sync(kind, _, payload):
    return payload[:1] == b"\6"


def ordered(kind, *_):
    return kind == 7


def acknowledge(kind, channel, _):
    return kind == 1 and channel == 0


class Scenario:
    def __init__(
        self, server="", client="", rules=(), at="client", engine=4, scripts=None, mtu=None
    ):
        self.server, self.client, self.rules = server, client, rules
        # If an MTU is given, there is no proxy: both sides run in the same new network namespace,
        # whose loopback interface has this MTU.
        self.mtu = mtu
        # The side at which the capture is taken. A datagram that the proxy drops is only in a capture
        # that is taken at its sender.
        self.at, self.engine, self.scripts = at, engine, scripts


def scenarios():
    return {
        # Everything works.
        "good": Scenario(),
        "godot3_good": Scenario(engine=3),
        "good_udp": Scenario("udp", "udp"),
        # In the client's door.gd, `knock` has a different name, or `zap` is missing.
        "renamed_method": Scenario("nospawn", "call=knoc", scripts="client_renamed"),
        "removed_method": Scenario("nospawn", scripts="client_removed"),
        # `knock` is renamed, and the client calls nothing, so it does not announce its checksum.
        "renamed_method_one_way": Scenario("nospawn", "silent", scripts="client_renamed"),
        # A node with a remote method is only in the server's tree.
        "missing_node": Scenario("nospawn extra"),
        # A SYNC arrives after the DESPAWN of its node; the SPAWN of a node is lost once; DELTA and
        # SYNC are sent for a node that was never spawned.
        "sync_after_despawn": Scenario(rules=[when("S", sync, [0.4], 150)]),
        "spawn_lost": Scenario(rules=[when("S", spawn, [])]),
        "never_spawned": Scenario("forged nospawn"),
        # The client calls a method that only the authority may call.
        "not_authority": Scenario("nospawn", "cheat"),
        # Unreliable packets have 3000 bytes, or datagrams have more than 1472 bytes.
        "over_mtu": Scenario("nospawn bytes=3000"),
        "over_mtu_udp": Scenario("udp", "udp bytes=2000"),
        "ip_fragments": Scenario("udp", "udp bytes=2000", mtu=1500),
        "godot3_over_mtu": Scenario("bytes=3000", engine=3),
        # A reliable packet is lost once, and later packets wait for it. Captured at either side.
        "stall_at_receiver": Scenario("nospawn busy", rules=[lose("S", 0, 12, 3)]),
        "stall_at_sender": Scenario(
            "nospawn busy", rules=[lose("S", 0, 12, 3)], at="server"
        ),
        "godot3_stall": Scenario("busy", rules=[lose("S", 1, 12, 3)], engine=3),
        # Only an acknowledgement is lost: the packet is sent again, but nothing waits.
        "acknowledgement_lost": Scenario("nospawn", rules=[when("C", acknowledge, [], 6)]),
        # An ordered unreliable call arrives after a newer one. Godot 3 has no such calls.
        "late": Scenario("nospawn", rules=[when("S", ordered, [0.17], 9)]),
    }


class Pcap:
    def __init__(self, path):
        self.file = open(path, "wb")
        self.file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))

    def datagram(self, source, destination, payload):
        local = socket.inet_aton("127.0.0.1")
        udp = struct.pack(">HHHH", source, destination, len(payload) + 8, 0) + payload
        ip = struct.pack(">BBHHHBBH", 0x45, 0, len(udp) + 20, 0, 0x4000, 64, 17, 0) + local * 2
        self.frame(bytes(12) + b"\x08\0" + ip + udp)

    def frame(self, frame):
        now = time.time_ns() // 1000
        head = struct.pack("<IIII", now // 1_000_000, now % 1_000_000, len(frame), len(frame))
        self.file.write(head + frame)


def relay(scenario, pcap, public, private, processes):
    """Forwards datagrams between the client and the server until both processes have ended."""
    outer, inner = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    outer.bind(("127.0.0.1", public))
    inner.bind(("127.0.0.1", 0))
    client, waiting, count = None, [], 0
    deadline = time.monotonic() + 20
    outer.setblocking(False)
    inner.setblocking(False)
    while any(process.poll() is None for process in processes) and time.monotonic() < deadline:
        time.sleep(0.0003)
        for way, from_socket in (("C", outer), ("S", inner)):
            while True:
                try:
                    datagram, address = from_socket.recvfrom(65536)
                except (BlockingIOError, ConnectionError):
                    break
                if way == "C":
                    client = address
                matches = [rule(way, datagram) for rule in scenario.rules]
                delays = next((found for found in matches if found is not None), [0])
                if (way == "C") == (scenario.at == "client"):
                    write(pcap, way, client, public, datagram)
                for delay in delays:
                    count += 1
                    heapq.heappush(waiting, (time.monotonic() + delay, count, way, datagram))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, way, datagram = heapq.heappop(waiting)
            if (way == "S") == (scenario.at == "client"):
                write(pcap, way, client, public, datagram)
            try:
                if way == "C":
                    inner.sendto(datagram, ("127.0.0.1", private))
                else:
                    outer.sendto(datagram, client)
            except ConnectionError:
                pass


def loopback(mtu):
    """Sets the MTU of the loopback interface, and returns a socket that receives its frames."""
    subprocess.run(["ip", "link", "set", "lo", "up", "mtu", str(mtu)], check=True)
    every_protocol = socket.htons(3)
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, every_protocol)
    raw.bind(("lo", 3))
    raw.setblocking(False)
    return raw


def listen(raw, pcap, processes):
    """Records the frames on the loopback interface until both processes have ended."""
    deadline = time.monotonic() + 20
    while any(process.poll() is None for process in processes) and time.monotonic() < deadline:
        time.sleep(0.0003)
        while True:
            try:
                frame, (_, _, kind, *_) = raw.recvfrom(65536)
            except BlockingIOError:
                break
            if kind == socket.PACKET_OUTGOING:  # the interface also receives each sent frame
                pcap.frame(frame)


def write(pcap, way, client, public, datagram):
    ports = (client[1], public) if way == "C" else (public, client[1])
    pcap.datagram(*ports, datagram)


def project(scenario, side, folder):
    """Copies the project of a side, and returns the path of the copy."""
    name = "project3" if scenario.engine == 3 else "project"
    target = folder / side
    shutil.copytree(CORPUS / name, target)
    if side == "client" and scenario.scripts:
        shutil.copytree(CORPUS / scenario.scripts, target, dirs_exist_ok=True)
    return target


def start(scenario, side, port, folder, options):
    path = project(scenario, side, folder)
    inside = "/" + str(path.relative_to(ROOT))
    arguments = ["role=" + side, f"port={port}", f"log={inside}/calls.jsonl", *options.split()]
    command = shlex.split(ENGINES[scenario.engine])
    command += ["--path", inside] if scenario.engine == 3 else ["--headless", "--path", inside, "--"]
    log = open(folder / f"{side}.log", "wb")
    return subprocess.Popen([*command, *arguments], stdout=log, stderr=subprocess.STDOUT)


def record(name, scenario, target, port):
    with tempfile.TemporaryDirectory(dir=Path(ROOT) / "tmp") as folder:
        folder = Path(folder)
        pcap = Pcap(target / f"{name}.pcap")
        raw = loopback(scenario.mtu) if scenario.mtu else None
        server = start(scenario, "server", port if raw else port + 1, folder, scenario.server)
        time.sleep(1)
        client = start(scenario, "client", port, folder, scenario.client)
        if raw:
            listen(raw, pcap, [server, client])
        else:
            relay(scenario, pcap, port, port + 1, [server, client])
        pcap.file.close()
        for side in ("server", "client"):
            shutil.copy(folder / side / "calls.jsonl", target / f"{name}.{side}.jsonl")
            (target / f"{name}.{side}.log").write_text(messages(folder / f"{side}.log"))


def messages(path):
    """Returns the errors and warnings of an engine, each once, with the number of times it occurred."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", path.read_text(errors="replace"))
    found = re.findall(r"^(?:ERROR|WARNING|SCRIPT ERROR): .*$", text, re.MULTILINE)
    counts = Counter(line for line in found if "executable path" not in line)
    return "".join(f"{count} times {line}\n" for line, count in counts.items())


def main():
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    names = sys.argv[2:]
    for index, (name, scenario) in enumerate(scenarios().items()):
        if names and name not in names:
            continue
        if scenario.mtu and "NAMESPACE" not in os.environ:
            command = ["unshare", "--net", sys.executable, __file__, str(target), name]
            subprocess.run(command, check=True, env={**os.environ, "NAMESPACE": "1"})
        else:
            record(name, scenario, target, 24700 + 2 * index)
            print(name, (target / f"{name}.pcap").stat().st_size, flush=True)


main()
