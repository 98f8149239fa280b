# The services of one quickstart directory: starting, emptying, stopping. Sourced, after messages.sh and processes.sh.

# use_directory DIR: sets the paths. Sockets live under /run in a short directory of this DIR's own, because a socket's
# path may have 107 bytes at most. containerd's namespace is of this DIR's own, because runc knows all containers of a
# machine by namespace and name: without it, a container of another containerd would be in the way, or be ended.
use_directory() {
  local id
  dir=$1
  logs=$dir/logs
  pids=$dir/pids
  id=$(printf '%s' "$dir" | sha256sum | cut -c1-8)
  run=/run/faasimage-$id
  node_root=$dir/node
  export CONTAINERD_NAMESPACE=faasimage-quickstart-$id
  export FAASIMAGE_QUICKSTART=$dir
  export CONTAINERD_ADDRESS=$run/containerd.sock
  export FAASIMAGE_NODE=$run/node.sock
}

# use_ports BASE
use_ports() {
  oci_port=$1
  service_port=$(($1 + 1))
  oci_registry=127.0.0.1:$oci_port
  export FAASIMAGE_URL=http://127.0.0.1:$service_port
}

start_containerd() {
  cat >"$run/containerd.toml" <<EOF
version = 2
root = "$dir/containerd"
state = "$run/containerd"
disabled_plugins = ["io.containerd.grpc.v1.cri"]

[grpc]
  address = "$run/containerd.sock"

[proxy_plugins.faasimage]
  type = "snapshot"
  address = "$run/snapshotter.sock"
EOF
  start_process containerd containerd --config "$run/containerd.toml"
  await containerd 30 ctr version
}

start_oci_registry() { serve_images "$oci_registry" "$dir/oci-registry"; }

# start_service OPTION...
start_service() {
  start_process registry-service "$bin/faasimage-registry" --faasimage.data="$dir/service" --server.port="$service_port" "$@"
  await registry-service 90 curl -sf "http://127.0.0.1:$service_port/v1/health"
  FAASIMAGE_TOKEN=$(<"$dir/service/token")
  export FAASIMAGE_TOKEN
}

# launch_node COMMAND...: starts node-manager, by the command when there is one; it serves containerd, no more.
launch_node() {
  # Left behind by a killed process, they would look ready.
  rm -f "$run/node.sock" "$run"/snapshotter*.sock
  start_process node-manager "$@" "$bin/faasimage-node" --root "$node_root" --run "$run" --registry "$FAASIMAGE_URL" \
    --token-file "$dir/service/token" --containerd "$run/containerd.sock,/run/containerd/containerd.sock" --gate-command "$bin/faasimage-gate"
  await node-manager 60 test -S "$run/node.sock" -a -S "$run/snapshotter.sock" -a -S "$run/snapshotter-2.sock"
}

start_node() {
  rm -f "$run/gate.sock"
  launch_node
  await node-manager 60 env --unset=FAASIMAGE_TRAIN "$bin/faasimage" node status
  # Without it only held objects can be read.
  await node-manager 30 find_gate
  # Its virtual machine warms up by a made-up pull in its first seconds, as on any node that has just booted.
  await node-manager 60 is_warm
}

stop_node() {
  stop_process node-manager
  stop_process fuse-node
  # A gate outlives an agent that was killed.
  kill_ours '* io.faasimage.gate.*'
  unmount_below "$node_root"
}

# empty_containerd: no image, no content, no snapshot; the page cache dropped.
empty_containerd() {
  local images left
  remove_containers
  mapfile -t images < <(ctr images ls -q)
  ((${#images[@]} == 0)) || ctr images rm --sync "${images[@]}" >/dev/null
  left=$(ctr content ls -q; ctr snapshots ls | tail -n +2; ctr snapshots --snapshotter faasimage ls | tail -n +2)
  [[ -z $left ]] || fail "containerd still has content or snapshots of removed images:" "$left"
  drop_caches
}

# empty_node: no object either, and the agent fresh.
empty_node() {
  empty_containerd
  stop_node
  rm -rf "$node_root"
  start_node
  drop_caches
}

drop_caches() {
  sync
  echo 3 >/proc/sys/vm/drop_caches
}

# stop_everything: also after a run that was killed. Containers first, so that nothing uses the mounts.
stop_everything() {
  if is_alive "$pids/containerd" && is_alive "$pids/node-manager"; then
    timeout 30 bash -c "$(declare -f remove_containers); remove_containers" 2>/dev/null || true
  fi
  stop_process containerd
  kill_containers
  stop_node
  stop_process registry-service
  stop_process oci-registry
  kill_ours '*'
  unmount_below "$run"
  unmount_below "$dir"
}
