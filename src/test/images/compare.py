#!/usr/bin/env python3
"""Prints every difference between two directory trees; nothing when they are the same.

usage: compare.py EXPECTED ACTUAL [UNTIMED_PATH]...

Untimed paths are compared without their time of modification.
"""
import hashlib
import os
import stat
import sys


def describe(path):
    info = os.lstat(path)
    facts = {
        "mode": oct(info.st_mode),
        "uid": info.st_uid,
        "gid": info.st_gid,
        "mtime": info.st_mtime_ns,
        "xattrs": sorted((name, os.getxattr(path, name, follow_symlinks=False)) for name in os.listxattr(path, follow_symlinks=False)),
    }
    if stat.S_ISREG(info.st_mode):
        with open(path, "rb") as file:
            facts["content"] = hashlib.sha256(file.read()).hexdigest()
        facts["size"] = info.st_size
        facts["nlink"] = info.st_nlink
    elif stat.S_ISLNK(info.st_mode):
        facts["target"] = os.readlink(path)
    elif stat.S_ISCHR(info.st_mode) or stat.S_ISBLK(info.st_mode):
        facts["device"] = info.st_rdev
    return facts


def tree(root):
    found = {b".": describe(root)}
    for directory, directories, files in os.walk(root):
        for name in directories + files:
            path = os.path.join(directory, name)
            found[os.path.relpath(path, root)] = describe(path)
    return found


untimed = {os.fsencode(path) for path in sys.argv[3:]}
expected, actual = tree(os.fsencode(sys.argv[1])), tree(os.fsencode(sys.argv[2]))
print("compared", len(expected), "entries", file=sys.stderr)
for path in sorted(expected.keys() | actual.keys()):
    if path not in actual:
        print("missing:", path)
    elif path not in expected:
        print("too many:", path)
    else:
        for fact in sorted(expected[path].keys() | actual[path].keys()):
            if fact == "mtime" and path in untimed:
                continue
            if expected[path].get(fact) != actual[path].get(fact):
                print("different:", path, fact, expected[path].get(fact), actual[path].get(fact))
