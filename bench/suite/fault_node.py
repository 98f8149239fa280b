"""The parts of a node that bench/faults breaks, and what can be done to them."""
import collections
import contextlib
import glob
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import time

# Pools of threads and connections breathe; anything beyond this a while after a fault is a leak.
ALLOWANCE = 24


def start_time(pid):
    """The 22nd field of a process' stat; None when it has ended."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


def called(pattern, read):
    """Names of the descriptors or threads that match, without their numbers; some end meanwhile."""
    found = []
    for path in glob.glob(pattern):
        with contextlib.suppress(OSError):
            found.append(re.sub(r"[0-9]+", "", read(path)).strip())
    return found


def comm(path):
    with open(path) as file:
        return file.read()


def until(condition, seconds, pause=0.02):
    """What the condition gives as soon as it is true, or its last answer when time is over."""
    end = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(pause)
    return value


class Node:
    """The parts that are broken: a containerd, node-manager and its gate, and the service behind a proxy."""

    NAMES = {"node-manager": "node-manager", "service": "registry-service", "containerd": "containerd"}

    def __init__(self, options):
        self.options = options
        self.registry = "127.0.0.1:%d" % options.port
        self.image, self.plain = self.registry + "/faults:1", self.registry + "/plain:1"
        self.objects = os.path.join(options.root, "objects")
        self.numbers = iter(range(1_000_000))
        self.bounds = {}

    def shell(self, *command):
        result = subprocess.run(["bash", self.options.shell, self.options.dir, str(self.options.port), *command],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode:
            raise RuntimeError("%s failed: %s" % (command[0], result.stdout))

    def pid(self, name):
        """Of a running part, or None. The gate is node-manager's child, which no pid file of ours names."""
        if name == "gate":
            gates = [int(line.split("/")[2]) for line in self.command_lines("io.faasimage.gate.Main")]
            return max(gates, default=None)
        try:
            with open("%s/pids/%s" % (self.options.dir, self.NAMES[name])) as file:
                pid, started = file.read().split()
        except (OSError, ValueError):
            return None
        return int(pid) if start_time(int(pid)) == started else None

    def command_lines(self, word):
        mark = ("FAASIMAGE_QUICKSTART=" + self.options.dir).encode()
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                with open(path, "rb") as file:
                    words = file.read().split(b"\0")
                if word.encode() in words and start_time(int(path.split("/")[2])):
                    with open(path.replace("cmdline", "environ"), "rb") as file:
                        if mark in file.read().split(b"\0"):
                            yield path

    def signal(self, name, number):
        pid = self.pid(name)
        if pid:
            os.kill(pid, number)
        return pid

    def heal(self):
        """Starts again what has ended, as systemd does; the gate is node-manager's to start."""
        if not self.pid("containerd"):
            self.shell("start_containerd")
        if not self.pid("service"):
            self.shell("start_faults_service")
        if not self.pid("node-manager"):
            self.shell("launch_node")

    def gate_ready(self):
        return self.control({"command": "status"})["gate"].get("ready")

    def trusts_service(self):
        """Whether the node asks the service for plans: not for a while after failures."""
        return not self.control({"command": "status"})["registry"].get("awayBecause")

    def control(self, request, part="node", seconds=60):
        """One command to a control socket: its result. Raises OSError when it does not come."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(seconds)
            connection.connect("%s/%s.sock" % (self.options.run, part))
            connection.sendall(json.dumps(request).encode() + b"\n")
            for line in connection.makefile():
                answer = json.loads(line)
                if "error" in answer:
                    raise OSError(answer["error"])
                if "result" in answer:
                    return answer["result"]
        raise OSError("node-manager ended in the middle of an answer")

    def prune(self):
        """Drops all objects that no mounted root file system needs."""
        self.control({"command": "prune", "all": True})

    def ctr(self, *arguments, seconds=90):
        result = subprocess.run(["ctr", *arguments], capture_output=True, text=True, timeout=seconds)
        if result.returncode:
            raise OSError("ctr %s: %s" % (" ".join(arguments[:2]), result.stderr.strip()))
        return result.stdout

    def pull(self, image=None, wait=False):
        return self.control({"command": "pull", "image": image or self.image, "wait": wait,
                             "namespace": os.environ["CONTAINERD_NAMESPACE"]})

    def proxy(self, path="/__state", rules=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.options.port + 2, timeout=10)
        with contextlib.closing(connection):
            connection.request("GET" if rules is None else "PUT", path, None if rules is None else json.dumps(rules))
            return json.loads(connection.getresponse().read())

    def rules(self, *rules):
        self.proxy("/__rules", list(rules))

    def await_held(self, row):
        """Until the proxy holds back an answer: the node waits at exactly this point."""
        if not until(lambda: self.proxy()["held"], 20):
            row.note("no request came to wait at this point")

    def run(self, image=None, extra=()):
        """Starts a container; its ID."""
        container = "f%d-%d" % (os.getpid(), next(self.numbers))
        self.ctr("run", "-d", "--snapshotter", "faasimage", *extra, image or self.image, container)
        return container

    def root_of(self, container):
        """The container's root file system as this process reaches it: through the container's own mounts."""
        for line in self.ctr("task", "ls").splitlines():
            if line.split()[0] == container:
                return "/proc/%s/root" % line.split()[1]
        raise OSError("container %s does not run" % container)

    def remove(self, container):
        with contextlib.suppress(OSError):
            self.ctr("task", "rm", "--force", container)
        self.ctr("containers", "rm", container)

    def await_snapshotter(self):
        """Until containerd reaches node-manager: it dials a snapshotter that was away after a pause of its own."""
        snapshots, probe = ("snapshots", "--snapshotter", "faasimage"), "probe-%d" % next(self.numbers)

        def reached():
            with contextlib.suppress(OSError):
                self.ctr(*snapshots, "prepare", probe)
                return True

        until(reached, 30)
        self.ctr(*snapshots, "rm", probe)

    def remove_all(self):
        """Leaves nothing of images and containers on the node."""
        # A collection that fails meanwhile is not repeated before containerd removes the next snapshot.
        self.await_snapshotter()
        for container in self.ctr("containers", "ls", "-q").split():
            self.remove(container)
        # A client that containerd's end interrupts leaves its lease, which holds its objects for a day. node-manager's
        # leases stay for the checks.
        for lease in self.ctr("leases", "ls", "-q").split():
            if not lease.startswith("faasimage-"):
                self.ctr("leases", "rm", lease)
        images = self.ctr("images", "ls", "-q").split()
        if images:
            self.ctr("images", "rm", "--sync", *images)
        self.prune()

    def packs(self):
        """The directory of each pack, its table, and how many objects and frames it has (docs/formats/pack-image.md)."""
        for path in glob.glob(self.options.root + "/packs/*/table"):
            with contextlib.suppress(OSError):
                with open(path, "rb") as file:
                    table = file.read()
                yield os.path.dirname(path), table, *struct.unpack_from("<II", table, 8)

    def packed(self):
        """Digests of the objects whose frames are all in a pack."""
        whole = set()
        for directory, table, objects, frames in self.packs():
            with contextlib.suppress(OSError):
                with open(directory + "/present", "rb") as file:
                    bits = file.read()
                first = [*(struct.unpack_from("<I", table, 56 + 44 * i)[0] for i in range(objects)), frames]
                whole.update(table[16 + 44 * i:48 + 44 * i].hex() for i in range(objects)
                             if all(bits[f >> 3] >> (f & 7) & 1 for f in range(first[i], first[i + 1])))
        return whole

    def damaged_frames(self):
        """How many frames are noted as present and have other bytes than they should."""
        damaged = 0
        for directory, table, objects, frames in self.packs():
            with open(directory + "/present", "rb") as file:
                bits = file.read()
            with open(directory + "/data", "rb") as data:
                for i in range(frames):
                    digest, place, stored = struct.unpack_from("<32sII", table, 16 + 44 * objects + 40 * i)
                    data.seek(4096 * place)
                    damaged += bits[i >> 3] >> (i & 7) & 1 and hashlib.sha256(data.read(stored)).digest() != digest
        return damaged

    def held(self):
        """Objects on the node, in packs and as files."""
        return [name for _, _, files in os.walk(self.objects) for name in files] + list(self.packed())

    def snapshots(self):
        return [line.split()[0] for line in self.ctr("snapshots", "--snapshotter", "faasimage", "ls").splitlines()[1:]]

    def left(self):
        """Names of what is there of each kind of thing that a fault may leave behind."""
        with open("/proc/self/mountinfo") as file:
            mounts = [line.split()[4] for line in file]
        loops = []
        for backing in glob.glob("/sys/block/loop*/loop/backing_file"):
            with contextlib.suppress(OSError), open(backing) as file:
                loops.append(file.read().strip())
        return {
            "mounts": [mount for mount in mounts if mount.startswith((self.options.root + "/", self.options.run + "/"))],
            "loops": [loop for loop in loops if loop.startswith(self.options.dir + "/disk/")],
            "snapshots": self.snapshots() + os.listdir(self.options.root + "/snapshots"),
            "temporary files": os.listdir(self.options.root + "/incoming"),
            "objects that nobody needs": self.held(),
        }

    def grown(self):
        """Descriptors and threads of processes that live on, beyond what each had when it was first looked at."""
        grown = {"descriptors": [], "threads": []}
        for name in ("node-manager", "gate"):
            pid = self.pid(name)
            if not pid:
                continue
            with contextlib.suppress(OSError):
                now = {"descriptors": called("/proc/%d/fd/*" % pid, os.readlink),
                       "threads": called("/proc/%d/task/*/comm" % pid, comm)}
                first = self.bounds.setdefault((name, pid), {kind: len(all) for kind, all in now.items()})
                for kind, all in now.items():
                    over = max(0, len(all) - first[kind] - ALLOWANCE)
                    common = [("%s's " % name + each, count) for each, count in collections.Counter(all).most_common()]
                    grown[kind] += [each for each, count in common for _ in range(count)][:over]
        return grown
