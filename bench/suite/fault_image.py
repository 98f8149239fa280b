"""Images of known content for bench/faults."""
import hashlib
import io
import json
import os
import random
import subprocess
import tarfile

START_FILES, REST_FILES, LARGE_FILES = 300, 2400, 4


def contents(seed):
    """Path and bytes of each file: what the start reads, what it does not, and a few large ones."""
    source = random.Random(seed)
    for i in range(START_FILES):
        yield "start/%03d" % i, source.randbytes(source.randrange(1, 40_000))
    for i in range(REST_FILES):
        yield "rest/%04d" % i, source.randbytes(source.randrange(1, 10_000))
    for i in range(LARGE_FILES):
        yield "large/%d" % i, source.randbytes(6_000_000)


def add(tar, name, data=b"", **fields):
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), 0o755
    for key, value in fields.items():
        setattr(info, key, value)
    tar.addfile(info, io.BytesIO(data))


def make_images(directory, port, seed):
    """Pushes faults:1, and plain:1, which is never planned; writes the digests of what is in the first."""
    os.makedirs(directory, exist_ok=True)
    with open("/bin/busybox", "rb") as file:
        busybox = file.read()
    digests = {}
    for name in ("faults", "plain"):
        layer = io.BytesIO()
        with tarfile.open(fileobj=layer, mode="w") as tar:
            for path in ("bin", "tmp", "start", "rest", "large", "proc", "sys", "dev", "etc", "run"):
                add(tar, path, type=tarfile.DIRTYPE, mode=0o1777 if path == "tmp" else 0o755)
            add(tar, "bin/busybox", busybox + name.encode())
            for applet in ("sh", "sha256sum", "sleep", "mv", "cat"):
                add(tar, "bin/" + applet, type=tarfile.SYMTYPE, linkname="busybox")
            if name == "faults":
                for path, data in contents(seed):
                    add(tar, path, data, mode=0o644)
                    digests[path] = hashlib.sha256(data).hexdigest()
                known = "".join("%s  /%s\n" % (digests[path], path) for path in digests if path.startswith("start/"))
                add(tar, "etc/start.sha256", known.encode(), mode=0o644)
        check = "sha256sum -c /etc/start.sha256 >/tmp/start 2>&1; mv /tmp/start /tmp/started; sleep 100000 & wait"
        config = json.dumps({
            "architecture": subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip(), "os": "linux",
            "config": {"Cmd": ["/bin/sh", "-c", check if name == "faults" else "echo started"], "Env": ["PATH=/bin"]},
            "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer.getvalue()).hexdigest()]},
        }).encode()
        archive = os.path.join(directory, name + ".tar")
        with tarfile.open(archive, "w") as tar:
            add(tar, "layer.tar", layer.getvalue())
            add(tar, "config.json", config)
            manifest = [{"Config": "config.json", "RepoTags": None, "Layers": ["layer.tar"]}]
            add(tar, "manifest.json", json.dumps(manifest).encode())
        subprocess.run(["skopeo", "--insecure-policy", "copy", "--quiet", "--dest-tls-verify=false",
                        "docker-archive:" + archive, "docker://127.0.0.1:%d/%s:1" % (port, name)], check=True)
        os.remove(archive)
    with open(os.path.join(directory, "digests.json"), "w") as file:
        json.dump(digests, file)
