# The platform of one bench directory: a network namespace with the registries, and one node per mode. Sourced, after
# messages.sh and processes.sh of docker/quickstart.
#
# The OCI registry and registry-service live in a network namespace at the far end of a veth pair, so that a rate limit
# and the counted bytes are those of the network and nothing else. A node (containerd, node-manager, its gate) is made
# new for each cold start, and only one is there at a time.

# use_bench_directory DIR: sets the paths. Sockets live under /run, because a socket's path may have 107 bytes at most.
use_bench_directory() {
  dir=$1
  logs=$dir/logs
  pids=$dir/pids
  id=$(printf '%s' "$dir" | sha256sum | cut -c1-8)
  run=/run/faasimage-$id
  namespace=fib-$id
  near=fib$id-n
  far=fib$id-f
  # 198.18.0.0/15 is for benchmarks (RFC 2544).
  near_address=198.18.$((16#${id:0:2})).1
  far_address=198.18.$((16#${id:0:2})).2
  export FAASIMAGE_QUICKSTART=$dir
  # Of its own: runc knows the containers of all containerds of a machine by namespace and name.
  export CONTAINERD_NAMESPACE=faasimage-bench-$id
}

# use_settings: those of the bench that works, or worked, in the directory.
use_settings() {
  touch=0 secure=''
  [[ ! -r $dir/settings ]] || . "$dir/settings"
}

# use_ports: the addresses that the node talks to; those of the delaying proxy when there is a round-trip time.
use_ports() {
  near_ports=(5000 5001)
  ((rtt == 0)) || near_ports=(5100 5101)
  oci_registry=$far_address:${near_ports[0]}
  if [[ ${secure:-} ]]; then
    export FAASIMAGE_URL=https://$far_address:${near_ports[1]} FAASIMAGE_CA=$dir/tls/ca.pem CURL_CA_BUNDLE=$dir/tls/ca.pem
    return
  fi
  # The other network namespace counts as another machine.
  export FAASIMAGE_URL=http://$far_address:${near_ports[1]} FAASIMAGE_INSECURE=true
}

# make_certificates: an authority, and the service's certificate by it.
make_certificates() {
  local key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
  mkdir -p "$dir/tls"
  (
    cd "$dir/tls"
    openssl req -x509 "${key[@]}" -days 2 -subj /CN=authority -addext basicConstraints=critical,CA:TRUE -keyout ca.key -out ca.pem
    openssl req "${key[@]}" -subj /CN=service -addext "subjectAltName=IP:$far_address" -keyout service.key -out service.csr
    openssl x509 -req -in service.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -copy_extensions copy -out service.pem
  ) >"$logs/openssl.log" 2>&1 || fail "could not make certificates." "See $logs/openssl.log"
}

in_namespace() { ip netns exec "$namespace" "$@"; }

start_network() {
  ip netns add "$namespace"
  ip link add "$near" type veth peer name "$far" netns "$namespace"
  ip address add "$near_address/30" dev "$near"
  ip link set "$near" up
  in_namespace ip address add "$far_address/30" dev "$far"
  in_namespace ip link set "$far" up
  in_namespace ip link set lo up
}

stop_network() {
  ip link delete "$near" 2>/dev/null || true
  ip netns delete "$namespace" 2>/dev/null || true
}

# limit_rate RATE: in both directions. The burst lets through what comes between two ticks of the kernel.
limit_rate() {
  local bits burst
  tc qdisc delete dev "$near" root 2>/dev/null || true
  in_namespace tc qdisc delete dev "$far" root 2>/dev/null || true
  case $1 in
    unlimited) return ;;
    1gbit) bits=1gbit burst=1m ;;
    100mbit) bits=100mbit burst=128k ;;
    25mbit) bits=25mbit burst=64k ;;
  esac
  tc qdisc add dev "$near" root tbf rate "$bits" burst "$burst" latency 100ms
  in_namespace tc qdisc add dev "$far" root tbf rate "$bits" burst "$burst" latency 100ms
}

start_oci_registry() { serve_images "$far_address:5000" "$cache/registry" ip netns exec "$namespace"; }

# start_service OPTION...
start_service() {
  local bundle=--spring.ssl.bundle.pem.service.keystore
  [[ ! ${secure:-} ]] || set -- "$@" --server.ssl.bundle=service "$bundle.certificate=$dir/tls/service.pem" "$bundle.private-key=$dir/tls/service.key"
  start_process registry-service ip netns exec "$namespace" "$bin/faasimage-registry" --faasimage.data="$dir/service" \
    --server.address="$far_address" --server.port=5001 --faasimage.insecure-registries="$far_address" "$@"
  await registry-service 120 curl -sf "${FAASIMAGE_URL%%:*}://$far_address:5001/v1/health"
  FAASIMAGE_TOKEN=$(<"$dir/service/token")
  export FAASIMAGE_TOKEN
}

# start_function NAME: the network, the registry and the function's image in it; sets image and expected, its answer.
start_function() {
  start_network
  start_oci_registry
  "$suite/build" --push "$far_address:5000" --only "$1" --cache "$cache" --port "$port" >"$dir/image.json" ||
    fail "could not build $1 (see above)."
  image=$oci_registry/$1:bench
  expected=$(jq -r .expect "$dir/image.json")
}

# start_delay MILLIS: the proxies of the two registries.
start_delay() {
  local i
  stop_delay
  (($1 > 0)) || return 0
  for i in 0 1; do
    start_process "delay-$i" ip netns exec "$namespace" "$bin/faasimage-bench" delay --round-trip "$1" \
      --listen "$far_address:510$i" --target "$far_address:500$i"
    await "delay-$i" 30 grep -q 'listening at' "$logs/delay-$i.log"
  done
}

stop_delay() {
  local i
  for i in 0 1; do
    stop_process "delay-$i"
    rm -f "$logs/delay-$i.log"
  done
}

# use_mode MODE: the paths and sockets of its node, its snapshotter, and the suffix of its images' names.
use_mode() {
  mode=$1
  node=$dir/node-$mode
  node_run=$run/$mode
  export CONTAINERD_ADDRESS=$node_run/containerd.sock FAASIMAGE_NODE=$node_run/node.sock CONTAINERD_SUPPRESS_DEPRECATION_WARNINGS=1
  snapshotter=faasimage
  suffix=''
  case $mode in
    overlayfs | erofs) snapshotter=$mode ;;
    stargz) snapshotter=stargz suffix=-esgz ;;
    nydus) snapshotter=nydus suffix=-nydus ;;
  esac
  node_options=()
  case $mode in
    gear) node_options=(--startup none) ;;
    break) node_options=(--startup all --start complete) ;;
    complete | floor | limit) node_options=(--start complete) ;;
  esac
}

write_containerd_configuration() {
  if [[ $containerd_version == 1.6 ]]; then
    cat <<EOF
version = 2
root = "$node/containerd"
state = "$node_run/containerd"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
  address = "$CONTAINERD_ADDRESS"
[proxy_plugins.faasimage]
  type = "snapshot"
  address = "$node_run/snapshotter.sock"
EOF
    return
  fi
  cat <<EOF
version = 3
root = "$node/containerd"
state = "$node_run/containerd"
disabled_plugins = ["io.containerd.cri.v1.images", "io.containerd.cri.v1.runtime", "io.containerd.grpc.v1.cri"]
[grpc]
  address = "$CONTAINERD_ADDRESS"
EOF
  local differ=walking
  case $snapshotter in
    overlayfs) return ;;
    erofs)
      differ=erofs
      cat <<EOF
[plugins.'io.containerd.service.v1.diff-service']
  default = ["erofs", "walking"]
EOF
      ;;
    *)
      cat <<EOF
[proxy_plugins.$snapshotter]
  type = "snapshot"
  address = "$node_run/${snapshotter/faasimage/snapshotter}.sock"
  [proxy_plugins.$snapshotter.exports]
    enable_remote_snapshot_annotations = "true"
EOF
      ;;
  esac
  cat <<EOF
[[plugins.'io.containerd.transfer.v1.local'.unpack_config]]
  platform = "linux/$(dpkg --print-architecture)"
  snapshotter = "$snapshotter"
  differ = "$differ"
EOF
}

# start_node: the node of the mode, with nothing on it.
start_node() {
  mkdir -p "$node" "$node_run"
  write_containerd_configuration >"$node_run/containerd.toml"
  case $snapshotter in
    stargz) start_stargz ;;
    nydus) start_nydus ;;
  esac
  start_process containerd containerd --config "$node_run/containerd.toml"
  if [[ $snapshotter == faasimage ]]; then
    local access=(--insecure yes --token-file "$dir/service/token") name=bench-$(date +%s%N)
    if [[ ${secure:-} ]]; then
      env --unset=FAASIMAGE_TRAIN "$bin/faasimage" token create "$name" --enrol >"$node_run/enrol-token"
      access=(--service-ca "$dir/tls/ca.pem" --node-name "$name" --enrol-token-file "$node_run/enrol-token" --plan-key "$dir/service/plan-key.pub")
    fi
    start_process node-manager "$bin/faasimage-node" --root "$node/faasimage" --run "$node_run" --registry "$FAASIMAGE_URL" \
      "${access[@]}" --containerd "$CONTAINERD_ADDRESS" --gate-command "$bin/faasimage-gate" \
      --plain-http "$oci_registry" --plain-http "$far_address:5000" "${node_options[@]}"
    await node-manager 60 test -S "$node_run/node.sock" -a -S "$node_run/snapshotter.sock"
    await node-manager 60 env --unset=FAASIMAGE_TRAIN "$bin/faasimage" node status
    await node-manager 30 find_gate
    # Its virtual machine warms up by a made-up pull in its first seconds, as on any node that has just booted.
    await node-manager 60 is_warm
  fi
  await containerd 30 ctr version
}

# stop_node: and puts its files aside. Containers first, so that nothing uses the mounts.
stop_node() {
  ! is_alive "$pids/containerd" || remove_containers
  stop_process containerd
  (run=$node_run; kill_containers)
  kill_ours '*containerd-shim-runc-v2*'
  stop_process node-manager
  stop_process fuse-node
  stop_process stargz
  stop_process nydus
  kill_ours '*/nydusd *'
  # A gate outlives an agent that was killed.
  kill_ours '* io.faasimage.gate.*'
  unmount_below "$node_run"
  unmount_below "$node"
  rm -rf --one-file-system "$node_run"
  [[ -d $node ]] || return 0
  mkdir -p "$dir/aside"
  mv "$node" "$dir/aside/$(date +%s%N)"
  (($(df --output=avail --block-size=1G "$dir" | tail -1) >= 15)) || remove_aside
}

# remove_aside: the files of earlier nodes. Not after every start: ext4 takes no inode that was freed within the last
# minute, and looks at each of them whenever it makes a file, so the starts after it would measure that.
remove_aside() {
  rm -rf --one-file-system "$dir/aside"
  sync
  sleep 61
}

# pull_image REFERENCE
pull_image() {
  if [[ $mode == stargz ]]; then
    "$stargz/ctr-remote" images rpull --plain-http "$1$suffix"
  elif [[ $containerd_version != 1.6 ]]; then
    ctr images pull --plain-http --snapshotter "$snapshotter" "$1$suffix"
  elif [[ $mode == overlayfs ]]; then
    ctr images pull --plain-http "$1"
  else
    "$bin/faasimage" pull "$1"
  fi
}

# hold_image REFERENCE: the node holds all files that a start of the image reads, also in memory; containerd does not
# know the image.
hold_image() {
  "$bin/faasimage" pull "$1" >/dev/null
  ctr images rm --sync "$1" >/dev/null
}

# write_request REFERENCE: the mover's request: the image's start-up set, as an empty node requests it.
write_request() {
  jq -c --arg image "$1" 'select(.inspection.name == $image) | {image: .inspection.digest, segments: ["base", "lib", "func"],
    planWanted: true, metadataWanted: true, set: "STARTUP"}' "$dir/refactored.jsonl" >"$node_run/limit.json"
}

# predict_image REFERENCE: makes the service forget the image's trace and predict its first start instead; prints how
# the image is then: PLANNED, or UNTRACED if too little is known.
predict_image() {
  local digest job state
  digest=$(service_get images | jq -r --arg image "$1" '.[] | select(.name == $image) | .digest')
  # The report of the start before is refactored first.
  until service_get jobs | jq -e 'all(.state | IN("DONE", "FAILED"))' >/dev/null; do sleep 0.2; done
  service_call DELETE "images/$digest/trace" >/dev/null
  job=$(service_call POST "images/$digest/refactor" | jq -r .id)
  for ((;;)); do
    state=$(service_get "jobs/$job" | jq -r .state)
    [[ $state == DONE || $state == FAILED ]] && break
    sleep 0.1
  done
  [[ $state == DONE ]] || fail "could not predict the first start of $1." "See $logs/registry-service.log"
  service_get "images/$digest" | jq -r .state
}

# service_call METHOD PATH, service_get PATH: requests to registry-service, as a user.
service_call() {
  curl -sS --fail-with-body -X "$1" -H "Authorization: Bearer $(<"$dir/service/token")" "$FAASIMAGE_URL/v1/$2"
}
service_get() { service_call GET "$1"; }

# drop_caches: but not of the programs that every start runs, as any node has just run them for something else.
drop_caches() {
  local program
  sync
  echo 3 >/proc/sys/vm/drop_caches
  for program in ctr containerd-shim-runc-v2 runc; do
    cat "$(command -v "$program")" >/dev/null
  done
}

# touch_memory: so that the next pages are the machine's already.
touch_memory() {
  local file=/dev/shm/faasimage-bench-touch
  ((touch == 0)) || head -c "${touch}M" /dev/zero >"$file" || { rm -f "$file" && fail "could not take $touch MB of memory." "Give --touch less than half of the machine's memory."; }
  rm -f "$file"
}

# stop_everything: also after a run that was killed.
stop_everything() {
  local left
  for left in "$dir"/node-*; do
    [[ -d $left ]] || continue
    use_mode "${left##*/node-}"
    stop_node
  done
  stop_delay
  stop_process registry-service
  stop_process oci-registry
  kill_ours '*'
  stop_network
  unmount_below "$run"
  unmount_below "$dir"
}
