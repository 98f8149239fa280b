#!/bin/bash
# Makes base images of functions of Debian packages, and pushes them to an OCI registry. See --help.
set -euo pipefail
export LC_ALL=C.UTF-8
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../quickstart/messages.sh"
. "$here/../../bench/suite/runtimes.sh"
. "$here/../../bench/suite/layers.sh"
. "$here/../../bench/suite/recipes.sh"
. "$here/../../bench/suite/oci.sh"

usage() {
  cat <<'EOF'
usage: sudo docker/images/build-runtimes.sh --push HOST:PORT --into DIR [OPTION]...
  --push HOST:PORT  the OCI registry (plain HTTP) that gets the images, as HOST:PORT/runtime/NAME:DEBIAN-RELEASE;
                    without it, layers are made and kept
  --into DIR        where a runtime file NAME.yaml is written for each, for `faasimage build --runtime DIR/NAME.yaml`
  --only A,B,...    these of python, node, php, ruby; default: all
  --cache DIR       where layers are kept between runs (default: /var/cache/faasimage-bench; about 1 GB with all)
  --suite NAME      the Debian release (default: bookworm)
The images take part of their names from the packages' versions: python3.11, node18, php8.2, ruby3.1 for bookworm.
EOF
}

push='' into='' only=python,node,php,ruby cache=/var/cache/faasimage-bench suite=bookworm
while (($#)); do
  case $1 in
    --push | --into | --only | --cache | --suite)
      (($# > 1)) || fail "$1 needs a value." "See: $0 --help"
      declare "${1#--}=$2"
      shift 2
      ;;
    --help | -h) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
done
[[ ! $push || $into ]] || { usage >&2; exit 2; }
((EUID == 0)) || fail "this needs root: it makes root file systems." "Run: sudo $0"
for tool in mmdebstrap skopeo jq gzip tar python3 unshare; do
  command -v "$tool" >/dev/null || fail "'$tool' is missing." "Run: apt-get install $tool"
done
IFS=, read -ra names <<<"$only"

layers=$cache/layers
mkdir -p "$layers" ${into:+"$into"}
# Shared with bench/suite/build: one of them at a time.
exec 8>"$layers/.lock"
flock 8
rm -rf --one-file-system "$layers"/.work.*
export suite debian_packages packages=''

# Packages that only the installation of libraries needs, above the runtime's packages.
declare -A install_packages=([php]=composer,unzip,php-zip)

# Prints a runtime's version: its interpreter's package without the letters.
declare -A version_of=(
  [python]='/usr/bin/python3 -c "import sys; print(\"%d.%d\" % sys.version_info[:2])"'
  [node]='/usr/bin/node -p "process.versions.node.split(\".\")[0]"'
  [php]='/usr/bin/php -r "echo PHP_MAJOR_VERSION, \".\", PHP_MINOR_VERSION;"'
  [ruby]='/usr/bin/ruby -e "puts RUBY_VERSION[/\\d+\\.\\d+/]"'
)

# A layer's name and key as bench/suite/build has them, so that they are made once: packages_layer PREFIX PACKAGES LOWER
packages_layer() {
  packages=$2
  printf '%s-%s' "$1" "$(printf '%s ' "$2" "$3" "$(declare -f packages)" | key)"
}

# version NAME TREES: the interpreter's output, run in the root file system of the layers (the topmost first).
version() {
  local mount status=0
  mount=$(mktemp -d "$layers/.work.XXXXXX")
  mkdir "$mount/upper" "$mount/work" "$mount/root"
  unshare --mount --propagation private bash -c 'set -e
    mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
    chroot "$2/root" /bin/sh -c "$3"' bash "$2" "$mount" "${version_of[$1]}" || status=$?
  rm -rf --one-file-system "$mount"
  return "$status"
}

for name in "${names[@]}"; do
  [[ ${runtime_packages[$name]:-} ]] || fail "there is no runtime '$name'." "There are: ${!runtime_packages[*]}"
  parts=("debian-$(printf '%s ' "$suite" "$debian_packages" "$(declare -f debian)" | key)")
  layer "${parts[0]}" '' debian
  packages=${runtime_packages[$name]}
  parts+=("$(packages_layer "$name" "$packages" "${parts[0]}")")
  tree=$layers/${parts[0]}/tree
  layer "${parts[1]}" "$tree" packages
  tree=$layers/${parts[1]}/tree:$tree
  [[ $push ]] || continue
  release=$(version "$name" "$tree")
  image=$push/runtime/$name:$suite
  install=$image
  push_image "$image" 8080 '["/bin/sh"]' "${parts[@]}" >/dev/null
  if [[ ${install_packages[$name]:-} ]]; then
    packages=${install_packages[$name]}
    parts+=("$(packages_layer "$name-install" "$packages" "${parts[1]}")")
    layer "${parts[2]}" "$tree" packages
    install=$push/runtime/$name:$suite-install
    push_image "$install" 8080 '["/bin/sh"]' "${parts[@]}" >/dev/null
  fi
  cat >"$into/$name.yaml" <<EOF
# $name of Debian $suite; the rest is as in the built-in runtime of this name.
name: $name
default: "$release"
versions:
  "$release":
    image: $image
    installImage: $install
EOF
  echo "$name$release $image"
done
