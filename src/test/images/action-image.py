"""Puts this Python, what action.py uses of its library, and the shared libraries of both into a directory.

usage: python3 action-image.py ACTION DIRECTORY
"""
import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig


def copy(path, root):
    target = root + path
    if not os.path.exists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(path, target)


def linked(path):
    out = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    words = [word for line in out.splitlines() for word in line.split()]
    return [word for word in words if word.startswith("/")]


def main(action, root):
    spec = importlib.util.spec_from_file_location("action", action)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # Modules that it uses only when it answers.
    import ctypes, encodings.idna, http.client, socket, threading  # noqa: E401, F401
    executable = os.path.realpath(sys.executable)
    library = sysconfig.get_path("stdlib")
    files = {module.__file__ for module in list(sys.modules.values()) if getattr(module, "__file__", None)}
    files = {file for file in files if file.startswith(library) and "site-packages" not in file}
    files |= set(glob.glob(library + "/encodings/*.py")) | {library + "/os.py"}
    for file in sorted(files | {executable}):
        copy(file, root)
        for library_file in linked(file) if file == executable or file.endswith(".so") else []:
            copy(library_file, root)
    os.makedirs(root + "/bin", exist_ok=True)
    with open(root + "/bin/action", "w") as start:
        start.write("#!/bin/sh\nexec %s -S -B -u /action/action.py\n" % executable)
    os.chmod(root + "/bin/action", 0o755)
    os.makedirs(root + "/action")
    shutil.copy2(action, root + "/action/action.py")
    # By this directory a Python recognises its library.
    os.makedirs(root + library + "/lib-dynload", exist_ok=True)


main(sys.argv[1], sys.argv[2].rstrip("/"))
