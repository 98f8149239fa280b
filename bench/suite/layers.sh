# Layers of images, cached by the content of their recipe. Sourced.
#
# A cached layer is a directory LAYERS/NAME-KEY: `tree` (its additions, as the upper directory of an overlay),
# layer.tar.gz, and facts.json (diff ID, raw bytes, files). It is published by one rename.

# key: the digest of standard input, short.
key() { sha256sum | cut -c1-16; }

# directory_key DIR: of all names and contents below it.
directory_key() {
  (cd "$1" && find . -type f ! -path '*/__pycache__/*' -print0 | sort -z | xargs -0r sha256sum) | key
}

# layer NAME-KEY LOWER COMMAND...: makes the layer that COMMAND writes, unless it is cached. The command runs in a mount
# namespace of its own, with the root file system of the layers LOWER (separated by ':', the topmost first) at $root.
layer() {
  local name=$1 lower=$2 work status=0
  shift 2
  [[ -s $layers/$name/facts.json ]] && return
  note "layer $name" >&2
  work=$(mktemp -d "$layers/.work.XXXXXX")
  mkdir "$work/tree" "$work/overlay" "$work/root" "$work/layer"
  export lower work
  export -f note fail in_overlay "$1"
  unshare --mount --propagation private bash -c 'set -euo pipefail; in_overlay "$@"' bash "$@" >&2 || status=$?
  ((status == 0)) || {
    rm -rf --one-file-system "$work"
    fail "could not make the layer $name (see above)."
  }
  write_layer "$work/tree" "$work/layer"
  mv "$work/tree" "$work/layer/tree"
  rm -rf "${layers:?}/$name"
  mv "$work/layer" "$layers/$name"
  rm -rf --one-file-system "$work"
}

# in_overlay COMMAND...: in the mount namespace of one layer.
in_overlay() {
  export root=$work/root
  if [[ $lower ]]; then
    mount -t overlay overlay -o "lowerdir=$lower,upperdir=$work/tree,workdir=$work/overlay" "$root"
  else
    mount --bind "$work/tree" "$root"
  fi
  "$@"
}

# write_layer TREE DIR: DIR/layer.tar.gz and DIR/facts.json of an overlay's upper directory.
write_layer() {
  local tree=$1 into=$2 deleted
  # overlayfs marks each new directory as opaque; that says something only where a lower layer has it, too.
  python3 - "$tree" "$lower" <<'PYTHON' || fail "a directory was replaced as a whole, which these layers cannot say (see above)."
import os, sys
tree, lowers = sys.argv[1], list(filter(None, sys.argv[2].split(":")))
for path, _, _ in os.walk(tree):
    if "trusted.overlay.opaque" in os.listxattr(path):
        if any(os.path.lexists(os.path.join(lower, os.path.relpath(path, tree))) for lower in lowers):
            sys.exit(path)
PYTHON
  # A deleted file is a character device 0:0 in an overlay, and an empty .wh.NAME in a layer.
  mkdir "$into/deleted"
  (cd "$tree" && find . -type c -print0) | while IFS= read -r -d '' deleted; do
    mkdir -p "$into/deleted/$(dirname "$deleted")"
    touch "$into/deleted/$(dirname "$deleted")/.wh.$(basename "$deleted")"
  done
  (cd "$tree" && find . ! -type c ! -name . -print0 | sort -z) |
    tar --create --file "$into/layer.tar" --directory "$tree" --format=posix --pax-option=delete=atime,delete=ctime \
      --no-recursion --numeric-owner --null --files-from -
  (cd "$into/deleted" && find . -type f -print0) |
    tar --append --file "$into/layer.tar" --directory "$into/deleted" --owner=0 --group=0 --numeric-owner --null --files-from -
  gzip -n -6 -c "$into/layer.tar" >"$into/layer.tar.gz"
  jq -n --arg diffId "sha256:$(sha256sum "$into/layer.tar" | cut -d' ' -f1)" \
    --arg digest "sha256:$(sha256sum "$into/layer.tar.gz" | cut -d' ' -f1)" \
    --argjson size "$(stat -c %s "$into/layer.tar.gz")" \
    --argjson raw "$(find "$tree" -type f -printf '%s\n' | awk '{sum += $1} END {printf "%d", sum}')" \
    --argjson files "$(find "$tree" -type f | wc -l)" '{$diffId, $digest, $size, $raw, $files}' >"$into/facts.json"
  rm -r "$into/layer.tar" "$into/deleted"
}
