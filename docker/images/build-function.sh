#!/bin/bash
# Builds the image of one Python function and pushes it to an OCI registry.
#
# Three layers, as such an image has anywhere: operating system and Python (Debian packages), libraries (PyPI), code.
# The first two are cached, so that a second build takes a second. The result depends on the pinned packages and on
# Debian's state, not on the clock or the builder.
set -euo pipefail
export LC_ALL=C

# Every time stamp in the image, so that one input gives one digest.
export SOURCE_DATE_EPOCH=1761955200

usage() {
  cat <<'EOF'
usage: build-function.sh --function NAME --cache DIR [--push HOST:PORT/NAME:TAG] [--port PORT] [--suite DEBIAN-SUITE]
  --function  a directory under docker/functions: index.py, requirements.txt, templates
  --cache     where layers are kept between builds (about 600 MB)
  --push      where the image goes; plain HTTP. Without it, the layers are made and kept
  --port      where the function serves HTTP unless $PORT says otherwise (default: 8080)
  --suite     the Debian release of the image (default: bookworm)
Prints the image's manifest digest.
EOF
}

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "build-function: $*"
  exit 1
}

function='' cache='' push='' port=8080 suite=bookworm
while (($#)); do
  case $1 in
    --function | --cache | --push | --port | --suite)
      (($# > 1)) || fail "$1 needs a value"
      declare "${1#--}=$2"
      shift 2
      ;;
    --help | -h)
      usage
      exit 0
      ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
done
[[ $function && $cache ]] || {
  usage >&2
  exit 2
}
((EUID == 0)) || fail "run it as root: it makes a root file system"
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../functions/$function" 2>/dev/null && pwd) ||
  fail "there is no function '$function' under docker/functions"
for tool in mmdebstrap skopeo jq gzip tar python3 sha256sum; do
  command -v "$tool" >/dev/null || fail "'$tool' is missing: apt-get install $tool"
done
python3 -m pip --version >/dev/null 2>&1 || fail "Python's pip is missing: apt-get install python3-pip"
architecture=$(dpkg --print-architecture)
machine=$(uname -m)
packages=python3,ca-certificates,openssl,tzdata,netbase,media-types

mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The name of a cached layer is the digest of its inputs.
key() { sha256sum | cut -c1-16; }

# compress FILE.tar: the layer FILE.tar.gz and its diff ID beside it, published last, at once.
compress() {
  local tar=$1 name
  name=$(basename "$tar" .tar)
  sha256sum "$tar" | cut -d' ' -f1 >"$cache/$name.diffid"
  gzip -n -6 -c "$tar" >"$work/$name.tar.gz"
  mv "$work/$name.tar.gz" "$cache/$name.tar.gz"
}

# pack ROOT PATH TAR: PATH below ROOT as a layer; every owner is root, entries are sorted.
pack() {
  tar --create --file "$3" --directory "$1" --format=posix --pax-option=delete=atime,delete=ctime \
    --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner "$2"
}

# The operating system: the mirror of the machine's own apt if it has this suite, else Debian's.
base=base-$suite-$(printf '%s' "$suite $architecture $packages" | key)
if [[ ! -s $cache/$base.tar.gz || ! -d $cache/$base.root ]]; then
  say "building the base layer ($suite, Python): about a minute, once"
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 2>/dev/null |
    awk -v suite="$suite" '$2 == suite && /debian/ && !found++ {print $1}')
  keyring=()
  [[ -d /usr/share/keyrings ]] && keyring=(--keyring=/usr/share/keyrings)
  mmdebstrap --quiet --variant=minbase --architectures="$architecture" --include="$packages" "${keyring[@]}" \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --customize-hook='rm -f "$1"/etc/resolv.conf "$1"/etc/hostname "$1"/var/log/*.log "$1"/var/log/apt/*' \
    "$suite" "$work/$base.tar" ${mirror:+"$mirror"} >&2 ||
    fail "mmdebstrap could not make a $suite root file system (see above); is a Debian mirror reachable?"
  rm -rf "$cache/$base.root"
  mkdir "$work/root"
  tar --extract --file "$work/$base.tar" --directory "$work/root" --numeric-owner --exclude='./dev/*'
  mv "$work/root" "$cache/$base.root"
  compress "$work/$base.tar"
  rm -f "$work/$base.tar"
fi
root=$cache/$base.root
version=$(chroot "$root" /usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')

# The libraries: as pip resolves them for the image's Python, with byte code as pip would have compiled it.
libraries=libraries-$({
  printf '%s %s ' "$base" "$version"
  grep -v '^#' "$source_dir/requirements.txt"
} | key)
if [[ ! -s $cache/$libraries.tar.gz ]]; then
  say "fetching the libraries of '$function' from PyPI"
  packages_dir=usr/local/lib/python$version/dist-packages
  mkdir -p "$work/libraries/$packages_dir"
  python3 -m pip install --quiet --root-user-action=ignore --target "$work/libraries/$packages_dir" \
    --no-compile --no-deps --only-binary=:all: --implementation cp --python-version "$version" \
    --platform "manylinux2014_$machine" --platform "manylinux_2_28_$machine" \
    --requirement "$source_dir/requirements.txt" >&2 ||
    fail "pip could not install the libraries (see above); is the Python package index reachable?"
  # pip writes the builder's interpreter into the commands.
  if [[ -d $work/libraries/$packages_dir/bin ]]; then
    mv "$work/libraries/$packages_dir/bin" "$work/libraries/usr/local/bin"
    sed -i '1s|^#!.*python.*|#!/usr/bin/python3|' "$work"/libraries/usr/local/bin/*
  fi
  find "$work/libraries" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  rm -rf "${root:?}/build"
  cp -a "$work/libraries" "$root/build"
  # PYTHONHASHSEED: the order of constants in byte code; -s: the path inside the image.
  chroot "$root" /usr/bin/env -i PATH=/usr/bin PYTHONHASHSEED=0 /usr/bin/python3 -m compileall -q \
    --invalidation-mode timestamp -s /build -p / "/build/$packages_dir" >&2 || say "note: some library files do not compile"
  pack "$root/build" usr "$work/$libraries.tar"
  rm -rf "${root:?}/build"
  compress "$work/$libraries.tar"
  rm -f "$work/$libraries.tar"
fi

[[ $push ]] || exit 0

# The code.
mkdir -p "$work/code/home"
cp -r "$source_dir" "$work/code/home/app"
rm -rf "$work/code/home/app/requirements.txt" "$work/code/home/app/__pycache__"
chmod -R u=rwX,go=rX "$work/code"
pack "$work/code" home "$work/code.tar"
gzip -n -6 -c "$work/code.tar" >"$work/code.tar.gz"
sha256sum "$work/code.tar" | cut -d' ' -f1 >"$work/code.diffid"

# An OCI layout of the three, which skopeo pushes.
layout=$work/layout
mkdir -p "$layout/blobs/sha256"
printf '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
# blob FILE: stores it under its digest, prints {digest, size} as JSON.
blob() {
  local digest
  digest=$(sha256sum "$1" | cut -d' ' -f1)
  ln "$1" "$layout/blobs/sha256/$digest" 2>/dev/null || cp "$1" "$layout/blobs/sha256/$digest"
  jq -cn --arg digest "sha256:$digest" --argjson size "$(stat -c %s "$1")" '{$digest, $size}'
}
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
jq -cn --arg created "$created" --arg architecture "$architecture" --arg port "$port" \
  --arg base "sha256:$(<"$cache/$base.diffid")" --arg libraries "sha256:$(<"$cache/$libraries.diffid")" \
  --arg code "sha256:$(<"$work/code.diffid")" '{
    $created, $architecture, os: "linux",
    config: {
      Env: ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "PYTHONUNBUFFERED=1", "PORT=\($port)"],
      Cmd: ["/usr/bin/python3", "/home/app/index.py"], WorkingDir: "/home/app", User: "1000:1000",
      ExposedPorts: {"\($port)/tcp": {}}
    },
    rootfs: {type: "layers", diff_ids: [$base, $libraries, $code]},
    history: [
      {$created, created_by: "operating system and Python"},
      {$created, created_by: "libraries"},
      {$created, created_by: "code"}
    ]
  }' >"$work/config.json"
layer=application/vnd.oci.image.layer.v1.tar+gzip
jq -cn --arg layer "$layer" --argjson config "$(blob "$work/config.json")" \
  --argjson base "$(blob "$cache/$base.tar.gz")" --argjson libraries "$(blob "$cache/$libraries.tar.gz")" \
  --argjson code "$(blob "$work/code.tar.gz")" '{
    schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: ({mediaType: "application/vnd.oci.image.config.v1+json"} + $config),
    layers: [$base, $libraries, $code] | map({mediaType: $layer} + .)
  }' >"$work/manifest.json"
manifest=$(blob "$work/manifest.json")
jq -cn --argjson manifest "$manifest" '{
    schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [{mediaType: "application/vnd.oci.image.manifest.v1+json"} + $manifest
      + {annotations: {"org.opencontainers.image.ref.name": "function"}}]
  }' >"$layout/index.json"
skopeo --insecure-policy copy --quiet --preserve-digests --dest-tls-verify=false \
  "oci:$layout:function" "docker://$push" >&2 || fail "could not push $push (see above); is the registry running?"

say "pushed $push: $(jq '[.layers[].size] | add / 1e6 | round' "$work/manifest.json") MB compressed"
jq -r .digest <<<"$manifest"
