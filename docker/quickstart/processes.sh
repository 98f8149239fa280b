# Background processes with pid files, and mounts, below one directory. Sourced, after messages.sh.
#
# A pid file has the pid and the process' start time from /proc, so that a reused pid is never taken for ours.

# start_time PID: in clock ticks since boot; nothing when there is no such process.
start_time() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
  # After the command's closing parenthesis the fields are plain; the start time is the 22nd of all.
  set -- ${stat##*) }
  # A zombie has ended.
  [[ $1 == Z ]] || printf '%s' "${20}"
}

# is_alive PIDFILE
is_alive() {
  local pid='' started=''
  [[ -r $1 ]] || return 1
  read -r pid started <"$1" || true
  [[ $pid && $started && $(start_time "$pid") == "$started" ]]
}

# start_process NAME COMMAND...: in its own session, output to logs/NAME.log, without our lock and terminal.
start_process() {
  local name=$1 pid
  shift
  setsid "$@" >>"$logs/$name.log" 2>&1 </dev/null 9>&- &
  pid=$!
  printf '%s %s\n' "$pid" "$(start_time "$pid")" >"$pids/$name"
  disown "$pid"
}

# stop_process NAME: SIGTERM, and SIGKILL after 20 s.
stop_process() {
  local file=$pids/$1 pid i
  if is_alive "$file"; then
    read -r pid _ <"$file"
    kill -TERM "$pid" 2>/dev/null || true
    for ((i = 0; i < 400; i++)); do
      is_alive "$file" || break
      sleep 0.05
    done
    if is_alive "$file"; then
      kill -KILL "$pid" 2>/dev/null || true
    fi
  fi
  rm -f "$file"
}

# await NAME SECONDS COMMAND...: until the command succeeds; fails with the log's end when the process ends or time is over.
await() {
  local name=$1 deadline=$((SECONDS + $2)) seconds=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if ! is_alive "$pids/$name"; then
      show_end "$logs/$name.log"
      fail "$name ended before it was ready." "Its log: $logs/$name.log"
    fi
    if ((SECONDS > deadline)); then
      show_end "$logs/$name.log"
      fail "$name was not ready within $seconds s." "Its log: $logs/$name.log"
    fi
    sleep 0.1
  done
}

# mounts_below DIR: the mount points at or below it, the last mounted first.
mounts_below() {
  local point
  while read -r _ _ _ _ point _; do
    # Spaces and the like are octal escapes there.
    point=$(printf '%b' "${point//\\/\\0}")
    if [[ $point == "$1" || $point == "$1"/* ]]; then
      printf '%s\n' "$point"
    fi
  done </proc/self/mountinfo | tac
}

# unmount_below DIR
unmount_below() {
  local point
  while IFS= read -r point; do
    umount "$point" 2>/dev/null || umount --lazy "$point" 2>/dev/null || true
  done < <(mounts_below "$1")
  [[ -z $(mounts_below "$1") ]] || fail "could not unmount all of $1:" "$(mounts_below "$1" | sed -n 1,5p)"
}

# kill_containers: the containers in our containerd's state directory; their shims go with the other leftovers.
kill_containers() {
  local file pid id namespace
  for file in "$run"/containerd/io.containerd.runtime.v2.task/*/*/init.pid; do
    [[ -r $file ]] || continue
    pid=$(<"$file")
    id=$(basename "$(dirname "$file")")
    namespace=$(basename "$(dirname "$(dirname "$file")")")
    # The control group proves that the pid is still this container's.
    if grep -q "/$namespace/$id\$" "/proc/$pid/cgroup" 2>/dev/null; then
      kill -KILL "$pid" 2>/dev/null || true
    fi
  done
}

# ours PATTERN: the pids of the processes that carry our mark in their environment, which every descendant of a
# quickstart inherits (containers do not), and whose command line matches.
ours() {
  local environ cmdline
  # One grep for all: a process for each would take seconds on a busy machine.
  while IFS= read -r environ; do
    cmdline=$(tr '\0' ' ' 2>/dev/null <"${environ%/environ}/cmdline") || continue
    # shellcheck disable=SC2053
    [[ $cmdline != $1 ]] || basename "${environ%/environ}"
  done < <(grep -lzxsF "FAASIMAGE_QUICKSTART=$dir" /proc/[0-9]*/environ)
}

# kill_ours PATTERN
kill_ours() {
  local pid
  while read -r pid; do
    kill -KILL "$pid" 2>/dev/null || true
  done < <(ours "$1")
}

# serve_images ADDRESS DIR COMMAND...: an OCI registry with its files in DIR, started by the command when there is one.
serve_images() {
  cat >"$run/oci-registry.yml" <<EOF
version: 0.1
log:
  accesslog:
    disabled: true
storage:
  filesystem:
    rootdirectory: $2
http:
  addr: $1
EOF
  start_process oci-registry env OTEL_TRACES_EXPORTER=none "${@:3}" docker-registry serve "$run/oci-registry.yml"
  await oci-registry 30 curl -sf "http://$1/v2/"
}

# remove_containers: every container of our containerd, running or not.
remove_containers() {
  local container
  for container in $(timeout 20 ctr containers ls -q); do
    timeout 20 ctr task rm --force "$container" >/dev/null 2>&1 || true
    timeout 20 ctr containers rm "$container" >/dev/null 2>&1 || true
  done
}

# is_warm: whether node-manager has ended its warm-up.
is_warm() {
  local status
  status=$(env --unset=FAASIMAGE_TRAIN "$bin/faasimage" node status --json) && [[ $status == *'"warm-up"'* ]]
}

# find_gate: the gate is node-manager's child; its pid file is ours.
find_gate() {
  local gate
  gate=$(ours '* io.faasimage.gate.*' | sed -n 1p)
  [[ $gate ]] || return 1
  printf '%s %s\n' "$gate" "$(start_time "$gate")" >"$pids/fuse-node"
}
