# The requirements of quickstart and check on the machine. Sourced, after messages.sh.

# require_machine: root, Debian or Ubuntu, a kernel with the features that the mounts need.
require_machine() {
  ((EUID == 0)) || fail "this needs root: it mounts file systems and starts containers." "Run: sudo $0"
  command -v apt-get >/dev/null ||
    fail "this is not Debian or Ubuntu (no apt-get)." "Install the packages of docs/operations by hand, or use a Debian or Ubuntu machine."
  local release major minor
  release=$(uname -r)
  IFS=.- read -r major minor _ <<<"$release"
  ((major > 6 || (major == 6 && minor >= 5))) ||
    fail "the kernel is $release, faasimage needs 6.5 or later (data-only layers of overlayfs)." \
      "Debian 12: apt-get install -t bookworm-backports linux-image-amd64; Ubuntu 22.04: linux-generic-hwe-22.04; then reboot."
  local filesystem
  for filesystem in overlay erofs fuse; do
    grep -qw "$filesystem" /proc/filesystems || modprobe "$filesystem" 2>/dev/null || true
    grep -qw "$filesystem" /proc/filesystems ||
      fail "the kernel has no '$filesystem' file system." "Try: modprobe $filesystem (Ubuntu: apt-get install linux-modules-extra-$release)"
  done
  [[ -c /dev/fuse ]] || fail "/dev/fuse is missing." "In a container, give it the device: --device /dev/fuse --privileged."
}

# require_space DIR MEGABYTES
require_space() {
  local free
  free=$(df --output=avail -BM "$1" | tail -n 1 | tr -dc 0-9)
  ((free >= $2)) || fail "$1 has $free MB free, $2 MB are needed." "Free some space, or choose another directory with --dir."
}

# require_free_port PORT NAME OPTION
require_free_port() {
  # A connection that is accepted means that somebody listens.
  if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then
    fail "port $1, meant for $2, is taken." "See who has it: ss -ltnp 'sport = :$1'. Stop it, or choose other ports with $3."
  fi
}

# Not by `... | grep -q`: under pipefail that fails when grep ends before its left side has written all.
has_apt_package() { [[ $(apt-cache show "$1" 2>/dev/null) == *Package:* ]]; }

# first_available PACKAGE...: the first that apt knows, else the last.
first_available() {
  local package
  for package in "$@"; do
    if has_apt_package "$package"; then
      printf '%s' "$package"
      return
    fi
  done
  printf '%s' "${!#}"
}

# apt_install LOG PACKAGE...: without questions, with a second and third try (mirrors fail at times).
apt_install() {
  local log=$1 try
  shift
  for try in 1 2 3; do
    if DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 \
      install --no-install-recommends "$@" >>"$log" 2>&1 </dev/null; then
      return
    fi
    note "apt-get install failed, try $try of 3"
    sleep $((try * 2))
    apt-get -q update >>"$log" 2>&1 </dev/null || true
  done
  show_end "$log"
  fail "apt could not install: $*" "Run 'apt-get update && apt-get install $*' and read its output. Full log: $log"
}

# install_missing LOG COMMAND:PACKAGE...: installs the packages whose command is not there.
install_missing() {
  local log=$1 entry missing=()
  shift
  for entry in "$@"; do
    command -v "${entry%%:*}" >/dev/null || missing+=("${entry#*:}")
  done
  python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
  # On Ubuntu: the keys of Debian, which the built-in functions are made of.
  [[ -e /usr/share/keyrings/debian-archive-keyring.gpg ]] || missing+=(debian-archive-keyring)
  if ((${#missing[@]} == 0)); then
    note "everything is installed"
    return
  fi
  note "installing by apt: ${missing[*]}"
  apt-get -q update >>"$log" 2>&1 </dev/null || note "apt-get update failed; trying with the lists as they are"
  apt_install "$log" "${missing[@]}"
}

# java_version HOME: the major version of a JDK; 0 when there is no compiler.
java_version() {
  local version=0
  if [[ -x $1/bin/javac && -r $1/release ]]; then
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  fi
  printf '%s' "${version:-0}"
}

# require_jdk LOG: sets JAVA_HOME to a JDK 25 or later.
require_jdk() {
  local candidate package
  for candidate in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    if [[ $candidate ]] && (($(java_version "$candidate") >= 25)); then
      export JAVA_HOME=$candidate
      return
    fi
  done
  package=$(apt-cache search --names-only '^openjdk-(2[5-9]|[3-9][0-9])-jdk-headless$' | sort | head -n 1 | cut -d' ' -f1)
  [[ $package ]] ||
    fail "there is no JDK 25 or later in JAVA_HOME or /usr/lib/jvm, and apt has none." \
      "Unpack one (any vendor's) to /usr/lib/jvm/jdk-25, or set JAVA_HOME: sudo JAVA_HOME=/path/to/jdk $0"
  note "installing by apt: $package"
  apt_install "$1" "$package"
  for candidate in /usr/lib/jvm/*; do
    if (($(java_version "$candidate") >= 25)); then
      export JAVA_HOME=$candidate
      return
    fi
  done
  fail "$package is installed, but there is no JDK 25 under /usr/lib/jvm." "Set JAVA_HOME: sudo JAVA_HOME=/path/to/jdk $0"
}

# as_source_owner: runs a command as the owner of the sources, so that a build under sudo leaves no files of root's.
as_source_owner() {
  local owner home
  owner=$(stat -c %U "$source_root")
  home=$(getent passwd "$owner" | cut -d: -f6)
  if [[ $owner == root || $owner == UNKNOWN || ! -d $home ]]; then
    "$@"
  else
    HOME=$home runuser -u "$owner" -- "$@"
  fi
}

# build_modules MODULES OPTION...: the jars of these modules and of those that they need, without Error Prone's checks,
# which take as long as all the rest; ./check compiles again what was built so.
build_modules() {
  as_source_owner mkdir -p "$source_root/target"
  as_source_owner touch "$source_root/target/unchecked"
  as_source_owner env JAVA_HOME="$JAVA_HOME" mvn -B -ntp -T 2 -f "$source_root/pom.xml" -pl "$1" -am -Dmaven.test.skip=true \
    -Derror-prone=-XDunchecked "${@:2}" package
}

# build_faasimage MODULES
build_faasimage() {
  step "building faasimage"
  logged "$logs/build.log" "the build failed." build_modules "$1" -q
}
