#!/usr/bin/env python3
"""The faults of bench/faults: each breaks something while a container starts or is read."""
import argparse
import contextlib
import glob
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

from fault_image import START_FILES, make_images
from fault_node import Node, start_time, until
from fault_reader import HANG_SECONDS, Reader, Row
from fault_table import HEAD, cells, keep, summary, table

# How long a look-up waits for a service.
LOOKUP_SECONDS = 30
# Idle threads of pools end after half a minute; any that remain then are a leak.
POOL_SECONDS = 45
# The requests of a node that needs files.
ANSWERED = ("/v1/objects", "/v1/bundles")
GONE = {"prefix": "/v1/", "action": "status", "status": 503}


class Run:
    """All faults of one run, in order, and the container that they share where they can."""

    def __init__(self, options):
        self.options = options
        self.node = Node(options)
        self.random = random.Random(options.seed)
        with open(options.dir + "/image/digests.json") as file:
            self.digests = json.load(file)
        self.start_paths = [path for path in self.digests if path.startswith("start/")]
        self.container = None
        self.unread = []
        self.stopped = None
        self.rows = []
        self.baseline = None

    # Containers

    def forget(self):
        """An empty node: the next start moves everything again."""
        self.container = None
        self.node.remove_all()

        def empty():
            self.node.prune()
            return not self.node.held()

        # containerd frees its last resources in the background.
        until(empty, 10, pause=0.2)

    def adopt(self, row, container):
        """Waits until a started container has checked what it reads at its start, and counts that."""
        row.starts += 1
        began = time.monotonic()
        try:
            root = self.node.root_of(container)
        except OSError as e:
            return row.failed_start(str(e))
        pid = int(root.split("/")[2])
        until(lambda: os.path.exists(root + "/tmp/started") or not start_time(pid), HANG_SECONDS)
        if not os.path.exists(root + "/tmp/started"):
            row.stall = max(row.stall, time.monotonic() - began)
            hangs = start_time(pid) is not None
            return row.failed_start("its check was not over after %d s" % HANG_SECONDS if hangs else "its process ended")
        with open(root + "/tmp/started") as file:
            lines = file.read().splitlines()
        row.reads += len(self.start_paths)
        row.stall = max(row.stall, time.monotonic() - began)
        # busybox prints FAILED for unreadable files and for wrong ones; an unreadable one has a line of its own, too.
        unreadable = [line for line in lines if "can't open" in line or "rror" in line]
        wrong = [line for line in lines if line.endswith(": FAILED")]
        missing = len(self.start_paths) - sum(line.endswith(": OK") for line in lines)
        row.wrong += max(0, len(wrong) - len(unreadable))
        row.fetchable += max(missing - max(0, len(wrong) - len(unreadable)), 0)
        for line in (unreadable or wrong)[:3]:
            row.note("at the start: " + line)
        self.container = container
        self.unread = [path for path in self.digests if not path.startswith("start/")]
        self.random.shuffle(self.unread)
        if len(self.node.held()) < START_FILES:
            row.note("started as an unplanned image")

    def start(self, row, seconds=60, image=None):
        """Pulls and starts a container, again while node-manager or containerd are being started again."""
        end = time.monotonic() + seconds
        while True:
            try:
                self.node.pull()
                return self.node.run()
            except (OSError, subprocess.TimeoutExpired) as e:
                if time.monotonic() > end:
                    row.failed_start(str(e))
                    return None
                time.sleep(0.2)

    def ready(self, row):
        """The container that faults share, made when there is none of which files are missing."""
        if self.container:
            # Files are named by all but the first two digits of their digests.
            held = {name[-62:] for name in self.node.held()}
            # Layers that were read while the service was away bring all files.
            if len(held) < START_FILES or held.intersection(self.digests[path][2:] for path in self.unread):
                self.forget()
        if self.container is None:
            container = self.start(row)
            if container:
                self.adopt(row, container)
        return self.container is not None

    def some(self, count):
        """Files that nobody has read yet, large ones among them: the node does not hold them."""
        taken, self.unread = self.unread[:count], self.unread[count:]
        return taken

    def reader(self, row, **options):
        return Reader(self.node, self.digests, row, self.node.root_of(self.container), **options)

    def afterwards(self, row):
        """After each fault: what is there and what is not can be read."""
        if self.container:
            self.reader(row).start(self.random.sample(self.start_paths, 20) + self.some(12)).join()

    # Injection

    def hit(self, row, name, how, seconds):
        """Kills a part, or stops it and lets it go on; until all parts run again."""
        row.injected += 1
        if how == "kill":
            self.node.signal(name, signal.SIGKILL)
            if name != "gate":
                until(lambda: not self.node.pid(name), 10)
            self.node.heal()
        else:
            pid = self.node.signal(name, signal.SIGSTOP)
            if seconds:
                time.sleep(seconds)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
            else:
                self.stopped = pid

    def attempt_to_hit(self, row, *arguments):
        try:
            self.hit(row, *arguments)
        except (OSError, RuntimeError) as e:
            row.failed_start("%s: %s" % (type(e).__name__, e))

    def at_pull(self, row, name, how, seconds):
        self.forget()
        self.node.rules({"prefix": "/v1/bundles", "action": "hold", "after": 400_000})
        pulling = threading.Thread(target=lambda: self.attempt(lambda: self.node.pull(wait=True)), daemon=True)
        pulling.start()
        self.node.await_held(row)
        self.hit(row, name, how, seconds)
        self.node.rules()
        container = self.start(row)
        if container:
            self.adopt(row, container)

    def at_start(self, row, name, how, seconds):
        self.forget()
        self.node.rules({"prefix": "/v1/bundles", "action": "hold", "after": 400_000})
        try:
            self.node.pull()
            container = self.node.run()
        except (OSError, subprocess.TimeoutExpired) as e:
            self.node.rules()
            return row.failed_start("before the fault: %s" % e)
        began = time.monotonic()
        self.hit(row, name, how, seconds)
        self.node.rules()
        if name == "service" and time.monotonic() - began > LOOKUP_SECONDS - 1:
            # A busy machine may take longer to start one than a look-up waits.
            return row.note("the service was away for longer than a look-up waits; the start was given up")
        self.adopt(row, container)
        return None

    def at_miss(self, row, name, how, seconds):
        if not self.ready(row):
            return
        self.node.rules({"prefix": "/v1/objects", "action": "hold"})
        reader = self.reader(row).start(self.some(16)).start(self.random.sample(self.start_paths, 40))
        self.node.await_held(row)
        hitting = threading.Thread(target=self.attempt_to_hit, args=(row, name, how, seconds), daemon=True)
        hitting.start()
        hitting.join(0.3)
        self.node.rules()
        if name == "gate" and how == "stop":
            self.ordinary(row)
        if name == "service":
            # A busy machine may take longer to start one than a look-up waits.
            hitting.join(LOOKUP_SECONDS - 1)
            reader.fetchable = not hitting.is_alive()
        reader.join()
        hitting.join()

    def ordinary(self, row):
        """A container of an image that is none of ours starts and ends whatever is wrong with the gate."""
        began = time.monotonic()
        row.starts += 1
        container = "f%d-%d" % (os.getpid(), next(self.node.numbers))
        try:
            own = ("--snapshotter", "faasimage", self.node.plain)
            self.node.ctr("images", "pull", "--plain-http", *own, seconds=HANG_SECONDS)
            self.node.ctr("run", "--rm", *own, container, seconds=HANG_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as e:
            row.failed_start("unplanned image: %s" % e)
        row.stall = max(row.stall, time.monotonic() - began)

    def at_commit(self, row, name, how, seconds):
        if not self.ready(row):
            return
        snapshots = ("snapshots", "--snapshotter", "faasimage")
        top = next(key for key in self.node.snapshots() if key.startswith("sha256:"))
        over, used = threading.Event(), []

        def commit():
            for i in range(1000):
                if over.is_set():
                    return
                used.extend(("active-%d" % i, "committed-%d" % i))
                self.attempt(lambda: self.node.ctr(*snapshots, "prepare", "active-%d" % i, top))
                self.attempt(lambda: self.node.ctr(*snapshots, "commit", "committed-%d" % i, "active-%d" % i))

        committing = threading.Thread(target=commit, daemon=True)
        committing.start()
        time.sleep(self.random.uniform(0.2, 0.6))
        self.hit(row, name, how, seconds)
        time.sleep(0.3)
        over.set()
        committing.join(HANG_SECONDS)
        self.node.await_snapshotter()
        there = self.node.snapshots()
        for key in used:
            if key in there:
                self.node.ctr(*snapshots, "usage", key)
            # Unlisted ones, too: a commit whose end containerd did not see stays in its database, without a
            # snapshot, and holds the parent by the label that ctr gave it, whichever the snapshotter.
            self.attempt(lambda: self.node.ctr(*snapshots, "rm", key))

    def at_eviction(self, row, name, how, seconds):
        """Drops what only the container uses, in the middle of its reads."""
        if not self.ready(row):
            return
        reader = self.reader(row).start(self.start_paths + self.some(16))
        pruning = threading.Thread(target=lambda: self.attempt(self.node.prune), daemon=True)
        pruning.start()
        time.sleep(self.random.uniform(0, 0.05))
        self.hit(row, name, how, seconds)
        reader.join()
        pruning.join()

    @staticmethod
    def attempt(action):
        """What may fail because its other side has just been killed; None then."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            return action()

    def answers(self, row, rule, seconds):
        """The service's answers are broken while files are missed, and for the time given."""
        if not self.ready(row):
            return
        before = self.node.proxy()["injected"]
        self.node.rules(*(dict(rule, prefix=prefix) for prefix in ANSWERED))
        threads = rule.get("threads", 8)
        reader = self.reader(row).start(self.some(2 * threads), threads)
        if seconds:
            time.sleep(seconds)
            self.node.rules()
        reader.join()
        self.node.rules()
        row.injected += self.node.proxy()["injected"] - before

    def answers_of_pull(self, row, rule, seconds):
        """The same in the middle of a start."""
        self.forget()
        before = self.node.proxy()["injected"]
        self.node.rules(dict(rule, prefix="/v1/bundles"))
        if seconds:
            threading.Timer(seconds, self.node.rules).start()
        container = self.start(row)
        if container:
            self.adopt(row, container)
        self.node.rules()
        row.injected += self.node.proxy()["injected"] - before

    def unrelated(self, row):
        """A look-up of another image fails; files of this one are missed right after it."""
        if not self.ready(row):
            return
        row.injected += 1
        self.node.rules({"prefix": "/v1/chains", "action": "status", "status": 502, "count": 2},
                        {"prefix": "/v1/bundles", "action": "status", "status": 502, "count": 2})
        self.attempt(lambda: self.node.pull(self.node.plain))
        self.node.rules()
        self.reader(row).start(self.some(8)).join()

    def outage(self, row):
        """Longer than a look-up waits: missing files come by the layers of the image."""
        if not self.ready(row):
            return
        row.injected += 1
        self.node.signal("service", signal.SIGSTOP)
        reader = self.reader(row).start(self.some(4)).start(self.start_paths)
        time.sleep(LOOKUP_SECONDS + 10)
        self.node.signal("service", signal.SIGCONT)
        reader.join()

    def gone(self, row):
        """The service does not come back: files come out of the image's layers."""
        if not self.ready(row):
            return
        row.injected += 1
        self.node.rules(GONE)
        self.reader(row).start(self.some(400), 20).start(self.random.sample(self.start_paths, 40)).join()
        self.node.rules()

    def gone_in_pull(self, row):
        """The same in the middle of a start, whose plan is there, and a part of what it reads."""
        self.forget()
        # Else it is not even asked for the plan.
        until(self.node.trusts_service, 60, pause=0.5)
        row.injected += 1
        self.node.rules({"prefix": "/v1/bundles", "action": "cut", "after": 1 << 20, "count": 2}, GONE)
        began = time.monotonic()
        container = self.start(row)
        if container:
            self.adopt(row, container)
        row.stall = max(row.stall, time.monotonic() - began)
        self.node.rules()

    def disk_full(self, row):
        """Nothing can be written below --root until somebody frees space."""
        if not self.ready(row):
            return
        row.injected += 1
        filler = self.options.dir + "/disk/filler"
        size = 1 << 30
        with open(filler, "wb") as file:
            # Pieces of half the size whenever one does not fit any more.
            while size >= 4096:
                try:
                    os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, size)
                except OSError:
                    size //= 2
        reader = self.reader(row).start(self.some(16)).start(self.random.sample(self.start_paths, 40))
        time.sleep(4)
        os.remove(filler)
        reader.join()

    def little_memory(self, row):
        """A heap that is too small: the process ends and is started again, or serves; it never stays half alive."""
        if not self.ready(row):
            return
        row.injected += 1
        self.node.signal("node-manager", signal.SIGKILL)
        until(lambda: not self.node.pid("node-manager"), 10)
        self.attempt_shell("launch_node", "env", "FAASIMAGE_JAVA_OPTS=-Xms10m -Xmx14m")
        reader = self.reader(row).start(self.some(300), threads=64)
        for _ in range(100):
            time.sleep(0.1)
            if not self.node.pid("node-manager"):
                self.node.shell("launch_node")
        reader.join()
        self.node.signal("node-manager", signal.SIGKILL)
        until(lambda: not self.node.pid("node-manager"), 10)
        self.node.heal()

    def attempt_shell(self, *command):
        with contextlib.suppress(RuntimeError):
            self.node.shell(*command)

    def power_cut(self, row, step):
        """The disk keeps what was written to it; the clock was wrong by this while the objects came."""
        self.forget()
        container = self.start(row)
        if not container:
            return
        self.adopt(row, container)
        self.reader(row).start(self.some(200)).join()
        # The journal is written every 5 s: then the files are there, and their data is not.
        time.sleep(6)
        row.injected += 1
        self.node.shell("cut_power")
        damaged = self.node.damaged_frames()
        for path in glob.glob(self.node.objects + "/*/*"):
            with open(path, "rb") as file:
                damaged += hashlib.file_digest(file, "sha256").hexdigest() != "".join(path.split("/")[-2:])
            os.utime(path, (time.time() + step,) * 2)
        row.note("%d frames and objects were damaged, %d objects are there" % (damaged, len(self.node.held())))
        self.container = None
        self.node.shell("boot")
        container = self.start(row)
        if container:
            self.adopt(row, container)
            self.reader(row).start([path for path in self.digests if not path.startswith("start/")][:600]).join()

    def at_random(self, row):
        """Faults at random, one at a time, while containers start, read and end."""
        self.forget()
        end = time.monotonic() + self.options.minutes * 60
        disturbed = threading.Event()

        def load(source):
            while time.monotonic() < end:
                container = self.start(row, seconds=90)
                if not container:
                    continue
                loaded = Reader(self.node, self.digests, row, self.attempt(lambda: self.node.root_of(container)) or "")
                if loaded.root:
                    for _ in range(source.randrange(1, 6)):
                        loaded.start(source.sample(list(self.digests), 40)).join()
                with row.lock:
                    row.starts += 1
                until(lambda: self.attempt(lambda: self.node.remove(container) or True), 60)
                if source.random() < 0.3 and not disturbed.is_set():
                    self.attempt(self.node.prune)

        sources = [random.Random(self.options.seed + i) for i in range(3)]
        workers = [threading.Thread(target=load, args=(source,), daemon=True) for source in sources]
        for worker in workers:
            worker.start()
        rules = [rule for _, rule, _ in ANSWERS]
        killed = None
        while time.monotonic() < end:
            time.sleep(self.random.uniform(0.5, 4))
            kind = self.random.choice(("kill", "kill", "stop", "answers"))
            # A service takes longest to come back, so it is hit less often.
            name = self.random.choice(("node-manager", "gate", "containerd") * 2 + ("service",))
            disturbed.set()
            if kind == "answers":
                row.injected += 1
                self.node.rules(*(dict(self.random.choice(rules), prefix=prefix) for prefix in ANSWERED))
                time.sleep(self.random.uniform(0.2, 5))
                self.node.rules()
            elif until(lambda: self.node.pid(name), 20):
                if name == "gate" and kind == "kill":
                    killed = self.node.pid(name)
                self.hit(row, name, kind, self.random.uniform(0.2, 5))
            self.node.heal()
            # One at a time: node-manager has a gate that lives, and keeps its connection.
            until(lambda: self.node.pid("gate") not in (None, killed) and self.attempt(self.node.gate_ready), 30)
            disturbed.clear()
        for worker in workers:
            worker.join(180)
            if worker.is_alive():
                row.failed_start("a worker of the load hangs")
        # A pull releases the lease of one that a fault ended.
        self.attempt(self.node.pull)
        self.forget()

    # The run

    def one(self, fault):
        name, point, _, action = fault
        row = Row(name, point)
        began = time.monotonic()
        try:
            action(self, row)
            self.node.rules()
            self.end_stopped(row)
            self.node.heal()
            if not until(lambda: self.node.pid("gate"), 30):
                row.note("no gate runs 30 s later")
            self.afterwards(row)
            if "gate" in name or row.bad():
                # Its mounts hang on a gate that is gone, or it would disturb the next fault.
                self.forget()
            self.leaks(row)
        except (OSError, RuntimeError, StopIteration, subprocess.TimeoutExpired) as e:
            row.failed_start("%s: %s" % (type(e).__name__, e))
            self.recover(row)
        self.rows.append(row)
        print("        %5.1f s  %s" % (time.monotonic() - began, cells(row)), flush=True)
        for note in row.notes:
            print("                   " + note, flush=True)

    def end_stopped(self, row):
        """Kills a gate that was stopped for good: a node that has not replaced it by now does not do so."""
        if self.stopped and start_time(self.stopped):
            row.note("the stopped gate was not replaced")
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.stopped, signal.SIGKILL)
        self.stopped = None

    def recover(self, row):
        """A node from the start, so that one fault's harm is not the next one's."""
        try:
            self.end_stopped(row)
            self.node.shell("cut_power")
            self.node.shell("boot")
            self.forget()
        except (OSError, RuntimeError, subprocess.TimeoutExpired) as e:
            row.note("and the node did not come back: %s" % e)

    def leaks(self, row):
        if self.container is None:
            if self.baseline is None:
                self.baseline = {kind: len(names) for kind, names in self.node.left().items()}
            over, left = {}, {}

            def clean():
                left.update(self.node.left())
                over.update({kind: max(0, len(names) - self.baseline[kind]) for kind, names in left.items()})
                return not any(over.values())

            def calm():
                left.update(self.node.grown())
                over.update({kind: len(left[kind]) for kind in ("descriptors", "threads")})
                return not (over["descriptors"] or over["threads"])

            until(clean, 10, pause=0.2)
            until(calm, POOL_SECONDS, pause=0.2)
            row.leaks += sum(over.values())
            for kind, count in over.items():
                if count:
                    row.note("%d %s left behind: %s" % (count, kind, ", ".join(left.get(kind, [])[:5])))
            if over["snapshots"]:
                for what in ("leases", "ls"), ("images", "ls", "-q"), ("containers", "ls", "-q"), ("content", "ls", "-q"):
                    row.note("containerd has %s: %s" % (what[0], " ".join(self.node.ctr(*what).split())))

    def all(self):
        print(HEAD, flush=True)
        faults = [fault for fault in FAULTS if self.wanted(fault)]
        # A fault may leave as much there as a node without faults leaves.
        self.one(("none", "start, reads, end", True, nothing))
        for fault in faults:
            self.one(fault)
        if self.container:
            last = Row("all of these", "at the end")
            self.forget()
            self.leaks(last)
            self.rows.append(last)

    def wanted(self, fault):
        name, point, quick, _ = fault
        if self.options.only:
            return any(word in name + " " + point for word in self.options.only.split(","))
        return quick or not self.options.quick


def nothing(run, row):
    run.forget()
    if run.ready(row):
        run.reader(row).start(run.some(16)).start(run.start_paths).join()
    run.forget()


ANSWERS = [
    ("one 502", {"action": "status", "status": 502, "count": 1, "threads": 1}, 0),
    ("10 s of 503", {"action": "status", "status": 503}, 10),
    ("drip of 100 bytes a second", {"action": "drip", "rate": 100, "count": 4}, 0),
    ("cut answers", {"action": "cut", "after": 300, "count": 6}, 0),
    ("corrupt answers", {"action": "corrupt", "after": 60, "count": 6}, 0),
    ("mute", {"action": "mute", "count": 4}, 0),
]

# Which of the parts are hit at which point in the quick form, too.
QUICK = {("node-manager", "kill", "pull"), ("node-manager", "kill", "miss"), ("gate", "kill", "start"),
         ("gate", "kill", "miss"), ("gate", "stop", "miss"), ("service", "kill", "miss"), ("service", "stop", "miss"),
         ("containerd", "kill", "start"), ("node-manager", "kill", "commit"), ("node-manager", "kill", "eviction")}
POINTS = {"pull": Run.at_pull, "start": Run.at_start, "miss": Run.at_miss, "commit": Run.at_commit,
          "eviction": Run.at_eviction}


def make_faults():
    """Name, point, whether it is in the quick form, and what does it; those that keep the container come first."""
    faults = []
    for name, rule, seconds in ANSWERS:
        faults.append((name, "miss", True,
                       lambda run, row, rule=rule, seconds=seconds: run.answers(row, rule, seconds)))
    faults.append(("502 for another image", "miss", True, Run.unrelated))
    for point, method in POINTS.items():
        for name in ("node-manager", "service", "containerd", "gate"):
            ways = [("kill", "killed", 0), ("stop", "stopped for 5 s", 5)]
            if name == "gate":
                ways.append(("stop", "stopped for good", 0))
            for how, text, seconds in ways:
                quick = (name, how, point) in QUICK and (name != "gate" or how == "kill" or seconds == 0)
                faults.append(("%s %s" % (name, text), point, quick,
                               lambda run, row, m=method, n=name, h=how, s=seconds: m(run, row, n, h, s)))
    for name, rule, seconds in ANSWERS:
        faults.append((name, "pull", name in ("one 502", "corrupt answers"),
                       lambda run, row, rule=rule, seconds=seconds: run.answers_of_pull(row, rule, seconds)))
    faults.append(("service away for longer than a look-up waits", "miss", False, Run.outage))
    faults.append(("service gone for good", "miss", True, Run.gone))
    faults.append(("service gone for good", "pull", True, Run.gone_in_pull))
    faults.append(("disk full", "miss", True, Run.disk_full))
    faults.append(("heap of 14 MB", "miss", False, Run.little_memory))
    for text, quick, step in (("", False, 0), (" with the clock a day behind", True, -86400),
                              (" with the clock a day ahead", False, 86400)):
        faults.append(("power cut" + text, "after a start", quick, lambda run, row, step=step: run.power_cut(row, step)))
    faults.append(("any of these", "at random, under load", False, Run.at_random))
    return faults


FAULTS = make_faults()


def main():
    parser = argparse.ArgumentParser()
    for name in ("dir", "run", "root", "shell", "json", "only", "keep"):
        parser.add_argument("--" + name)
    parser.add_argument("--port", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--minutes", type=float, default=5)
    for name in ("quick", "list", "make-images"):
        parser.add_argument("--" + name, action="store_true")
    options = parser.parse_args()
    if options.list:
        for name, point, quick, _ in FAULTS:
            print("%-46s %-24s %s" % (name, point, "quick" if quick else ""))
        return 0
    if options.make_images:
        make_images(options.dir + "/image", options.port, options.seed)
        return 0
    run = Run(options)
    run.all()
    document = summary(run.rows, options)
    print("", *table(document), sep="\n")
    if options.keep:
        keep(options.keep, document)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(document, file, indent=1)
    bad = {key: document[key] for key in ("wrongBytes", "failedPresent", "failedFetchable", "leaks") if document[key]}
    if bad:
        print("must be 0: " + ", ".join("%s %d" % item for item in bad.items()))
    return 1 if bad else 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    # Readers may hang in the kernel; their threads are not waited for.
    os._exit(status)
