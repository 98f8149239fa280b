#!/bin/bash
# The parts of a run of bench/faults: starting them, and restarting those that a fault ended. Sourced by it, after the
# parts of docker/quickstart; run by faults.py as: faults.sh DIR PORT COMMAND...

# use_faults_directory DIR PORT: a quickstart's directory whose node is on a disk of its own and talks to the service
# through a proxy.
use_faults_directory() {
  use_directory "$1"
  use_ports "$2"
  node_root=$dir/disk/node
  proxy_port=$(($2 + 2))
  export FAASIMAGE_URL=http://127.0.0.1:$proxy_port CONTAINERD_NAMESPACE=faasimage-faults-${run##*-} JAVA_HOME PATH
}

start_disk() {
  truncate -s 1G "$dir/disk.ext4"
  mkfs.ext4 -q -E lazy_itable_init=1,lazy_journal_init=1 "$dir/disk.ext4"
  mkdir -p "$dir/disk"
  mount_disk
}

mount_disk() {
  mount -o loop "$dir/disk.ext4" "$dir/disk"
  # node-manager is started in a mount namespace of its own after a power cut.
  mount --make-shared "$dir/disk"
}

start_faults_service() {
  # Objects that a start misses because of a fault must not be planned for its next one.
  start_service --faasimage.predict=none --faasimage.feedback.miss-starts=1000000
}

start_all() {
  start_disk
  # It takes longest, so all that does not need it is made meanwhile.
  (start_faults_service) &
  local service=$!
  start_oci_registry
  python3 -B "$suite/faults.py" --dir "$dir" --port "$port" --seed "$seed" --make-images
  start_containerd
  wait "$service"
  FAASIMAGE_TOKEN=$(<"$dir/service/token")
  export FAASIMAGE_TOKEN
  start_process proxy python3 -B "$suite/fault_proxy.py" "$proxy_port" "$service_port"
  await proxy 30 curl -sf "$FAASIMAGE_URL/v1/health"
  launch_node
  await node-manager 30 find_gate
  logged "$logs/register.log" "could not register the image" \
    "$bin/faasimage" register "$oci_registry/faults:1" --name faults
  logged "$logs/trace.log" "could not trace the image" "$bin/faasimage" trace "$oci_registry/faults:1" \
    --namespace "$CONTAINERD_NAMESPACE" --limit 20 --json
}

# cut_power: the disk keeps the bytes that were written to it and takes nothing more; then all processes and mounts
# there end. Mounts the disk again.
cut_power() {
  local i
  # EXT4_IOC_SHUTDOWN without writing the journal, as the file systems' own tests do.
  python3 -c 'import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack("I", 2))' "$dir/disk"
  kill_ours '* io.faasimage.*.Main *'
  kill_ours '*containerd *'
  kill_containers
  kill_ours '*containerd-shim*'
  for ((i = 0; i < 600; i++)); do
    unmount_below "$dir/disk"
    unmount_below "$run"
    # Mounted again too early, it would still be in use by the processes that have just been killed.
    grep -qsF "$dir/disk.ext4" /sys/block/loop*/loop/backing_file || break
    sleep 0.1
  done
  ((i < 600)) || fail "the disk is still in use a minute after everything on it was killed."
  rm -rf --one-file-system "${run:?}/containerd"
  mount_disk
}

# boot: starts the node in a mount namespace where the kernel's boot ID is another one.
boot() {
  cat /proc/sys/kernel/random/uuid >"$run/boot-id"
  rm -f "$run/gate.sock"
  start_containerd
  launch_node unshare --mount --propagation unchanged sh -c \
    'mount --make-private /proc && mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"' "$run/boot-id"
}

stop_all() {
  # A process that a signal has stopped does not end by another one.
  local pid
  for pid in $(ours '*'); do
    kill -CONT "$pid" 2>/dev/null || true
  done
  stop_process proxy
  stop_everything
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -euo pipefail
  source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
  bin=$source_root/docker/bin
  suite=$source_root/bench/suite
  for part in messages prerequisites processes services; do
    # shellcheck source=/dev/null
    . "$source_root/docker/quickstart/$part.sh"
  done
  use_faults_directory "$1" "$2"
  shift 2
  "$@"
fi
