#!/usr/bin/env python3
"""Writes the two layers of an image that has every kind of file and every way of changing it in an upper layer.

usage: awkward.py BUSYBOX LOWER.tar UPPER.tar
"""
import io
import struct
import sys
import tarfile

MTIME = 1700000000.123456789
CAPABILITY = struct.pack("<IIIII", 0x02000001, 1 << 10, 0, 0, 0)


class Layer:
    def __init__(self, path):
        self.tar = tarfile.open(path, "w", format=tarfile.PAX_FORMAT)

    def add(self, name, kind=tarfile.REGTYPE, data=b"", mode=0o644, link="", owner=(0, 0), device=(0, 0), xattrs=None, mtime=MTIME):
        entry = tarfile.TarInfo(name)
        entry.type = kind
        entry.mode = mode
        entry.mtime = mtime
        entry.linkname = link
        entry.uid, entry.gid = owner
        entry.devmajor, entry.devminor = device
        for key, value in (xattrs or {}).items():
            entry.pax_headers["SCHILY.xattr." + key] = value.decode("utf-8", "surrogateescape")
        if kind == tarfile.REGTYPE:
            entry.size = len(data)
        self.tar.addfile(entry, io.BytesIO(data))

    def directory(self, name, mode=0o755, **more):
        self.add(name, tarfile.DIRTYPE, mode=mode, **more)

    def close(self):
        self.tar.close()


def lower(layer, busybox):
    layer.directory("./", mode=0o751, owner=(3, 4))
    for name in ("bin", "etc", "app", "gone", "opaque", "replaced-by-file", "kept"):
        layer.directory(name)
    layer.directory("sticky", mode=0o1777)
    layer.directory("setgid", mode=0o2775, owner=(1, 2))
    layer.add("bin/busybox", data=busybox, mode=0o755)
    for applet in ("sh", "cat", "sleep", "test"):
        layer.add("bin/" + applet, tarfile.SYMTYPE, link="busybox", mode=0o777)
    layer.add("etc/passwd", data=b"root:x:0:0:root:/:/bin/sh\n")
    layer.add("app/start.txt", data=b"start\n")
    layer.add("app/with space \u00e9.txt", data=b"odd\n")
    layer.add("app/" + "n" * 255, data=b"long name\n")
    layer.add("app/setuid", data=b"setuid\n", mode=0o4755, owner=(1000, 1000))
    layer.add("app/owned", data=b"owned\n", mode=0o600, owner=(4000000000, 4000000001))
    layer.add("app/capable", data=b"capable\n", mode=0o755, xattrs={"security.capability": CAPABILITY})
    layer.add("app/tagged", data=b"tagged\n", xattrs={"user.note": b"a note", "user.empty": b"x"})
    layer.add("app/empty")
    layer.add("app/holes", data=bytes(300_000) + b"end")
    layer.add("app/twin-a", data=b"twins\n")
    layer.add("app/twin-b", tarfile.LNKTYPE, link="app/twin-a")
    layer.add("app/fifo", tarfile.FIFOTYPE, mode=0o622)
    layer.add("app/null", tarfile.CHRTYPE, mode=0o666, device=(1, 3))
    layer.add("app/disk", tarfile.BLKTYPE, mode=0o660, device=(7, 200))
    layer.add("app/dangling", tarfile.SYMTYPE, link="/no/where", mode=0o777)
    layer.add("app/deep", tarfile.SYMTYPE, link="x" * 3000, mode=0o777)
    layer.add("app/old", data=b"before the epoch\n", mtime=-1.5)
    layer.add("implicit/parents/file", data=b"its directories are not in the archive\n")
    layer.add("gone/a", data=b"removed with its directory\n")
    layer.add("opaque/a", data=b"hidden\n")
    layer.directory("opaque/b")
    layer.add("opaque/b/c", data=b"hidden, too\n")
    layer.add("replaced-by-file/a", data=b"below a directory that becomes a file\n")
    layer.add("replaced-by-directory", data=b"a file that becomes a directory\n")
    layer.add("kept/a", data=b"stays\n")
    layer.add("kept/b", data=b"removed\n")
    layer.add("kept/c", data=b"old content\n")
    layer.add("kept/linked-later", data=b"linked in the upper layer\n")
    layer.add("usr-link", tarfile.SYMTYPE, link="kept", mode=0o777)


def upper(layer):
    layer.directory("kept", mode=0o700, owner=(5, 6))
    layer.add("kept/.wh.b")
    layer.add("kept/c", data=b"new content\n", mode=0o640)
    layer.add("kept/d", data=b"added\n")
    layer.add(".wh.gone")
    layer.directory("opaque")
    layer.add("opaque/.wh..wh..opq")
    layer.add("opaque/new", data=b"the only one\n")
    layer.add("replaced-by-file", data=b"now a file\n")
    layer.directory("replaced-by-directory")
    layer.add("replaced-by-directory/a", data=b"now in a directory\n")
    layer.add("app/twin-c", data=b"not a twin\n")
    layer.add("app/tagged", data=b"tagged again\n", xattrs={"user.note": b"another"})


def main():
    with open(sys.argv[1], "rb") as file:
        busybox = file.read()
    for path, fill in ((sys.argv[2], lambda l: lower(l, busybox)), (sys.argv[3], upper)):
        layer = Layer(path)
        fill(layer)
        layer.close()


main()
