"""Reads files of a container, compares every byte, and judges what went wrong."""
import hashlib
import os
import re
import threading
import time

# A read that takes longer is taken to hang.
HANG_SECONDS = 45


class Row:
    """One fault: what was injected, and what readers noticed of it."""

    def __init__(self, fault, point):
        self.fault, self.point = fault, point
        self.lock = threading.Lock()
        self.injected = self.reads = self.starts = 0
        self.wrong = self.present = self.fetchable = self.leaks = 0
        self.stall = 0.0
        self.notes = []

    def note(self, text):
        with self.lock:
            if len(self.notes) < 12:
                self.notes.append(re.sub(r"\s+", " ", text)[:300])

    def failed_start(self, text):
        with self.lock:
            self.fetchable += 1
        self.note("start failed: " + text)

    def bad(self):
        return self.wrong + self.present + self.fetchable + self.leaks

    def json(self):
        return {"fault": self.fault, "point": self.point,
                "injected": self.injected, "reads": self.reads, "starts": self.starts,
                "wrongBytes": self.wrong, "failedPresent": self.present, "failedFetchable": self.fetchable,
                "longestStallSeconds": round(self.stall, 2), "leaks": self.leaks, "notes": self.notes}


class Reader:
    """Reads files of one container on several threads and compares each with its digest."""

    def __init__(self, node, digests, row, root, fetchable=True):
        self.node, self.digests, self.row, self.root, self.fetchable = node, digests, row, root, fetchable
        self.threads = []

    def is_present(self, path):
        digest = self.digests[path]
        return os.path.exists("%s/%s/%s" % (self.node.objects, digest[:2], digest[2:])) or digest in self.node.packed()

    def start(self, paths, threads=8):
        """Begins to read; returns at once."""
        todo = list(paths)
        share = [todo[i::threads] for i in range(min(threads, len(todo)))]
        self.threads += [Reading(self, part) for part in share]
        for thread in self.threads[-len(share):]:
            thread.start()
        return self

    def join(self):
        """Until all has been read; a read that takes too long hangs, and counts as failed."""
        for thread in self.threads:
            while thread.is_alive() and thread.seconds() < HANG_SECONDS:
                thread.join(0.2)
            thread.give_up()
        return self

    def judge(self, path, present, seconds, error, wrong):
        with self.row.lock:
            self.row.reads += 1
            self.row.stall = max(self.row.stall, seconds)
            if wrong:
                self.row.wrong += 1
            elif error and present and self.is_present(path):
                self.row.present += 1
            elif error and self.fetchable:
                self.row.fetchable += 1
        if wrong:
            self.row.note("wrong bytes in " + path)
        elif error:
            self.row.note("%s %s: %s after %.1f s" % ("present" if present else "missing", path, error, seconds))


class Reading(threading.Thread):
    """One thread of a reader. It may hang in the kernel, so nothing waits for its end."""

    def __init__(self, reader, paths):
        super().__init__(daemon=True)
        self.reader, self.paths = reader, paths
        self.lock = threading.Lock()
        self.current = None
        self.given_up = False

    def run(self):
        for path in self.paths:
            present = self.reader.is_present(path)
            began = time.monotonic()
            with self.lock:
                if self.given_up:
                    return
                self.current = path, present, began
            error, wrong = None, False
            try:
                with open(self.reader.root + "/" + path, "rb") as file:
                    wrong = hashlib.file_digest(file, "sha256").hexdigest() != self.reader.digests[path]
            except OSError as e:
                error = e.strerror
            with self.lock:
                self.current = None
                if self.given_up:
                    return
            self.reader.judge(path, present, time.monotonic() - began, error, wrong)

    def seconds(self):
        """How long the read that is under way takes so far."""
        with self.lock:
            return time.monotonic() - self.current[2] if self.current else 0

    def give_up(self):
        with self.lock:
            self.given_up = True
            current = self.current
        if current:
            path, present, began = current
            self.reader.judge(path, present, time.monotonic() - began, "no answer", False)
