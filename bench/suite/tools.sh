# The suite's requirements of the machine beyond those of faasimage, and its description of the machine. Sourced.

# The version that is built.
containerd_release=v2.4.2

install_tools() {
  local needed=(runc:runc docker-registry:docker-registry mmdebstrap:mmdebstrap skopeo:skopeo mvn:maven jq:jq curl:curl mount:mount
    setsid:util-linux python3:python3 tar:tar gzip:gzip npm:npm ip:iproute2 tc:iproute2)
  [[ $containerd_version != 1.6 ]] || needed+=(containerd:containerd)
  # Charts need a font.
  [[ -n $(fc-list 2>/dev/null) ]] || needed+=(fc-list-font:fontconfig fc-list-font:fonts-dejavu-core)
  install_missing "$logs/apt.log" "${needed[@]}"
}

# build_mover: the program of the mode limit.
build_mover() {
  local needed=(gcc:gcc)
  [[ -e /usr/include/zstd.h ]] || needed+=(zstd.h:libzstd-dev)
  [[ -e /usr/include/openssl/evp.h ]] || needed+=(evp.h:libssl-dev)
  install_missing "$logs/apt.log" "${needed[@]}"
  logged "$logs/mover.log" "could not compile the mover" \
    gcc -O2 -Wall -Wextra -Werror -o "$cache/mover" "$suite/mover.c" -lzstd -lcrypto -lpthread
}

# require_mkfs_erofs: containerd's EROFS differ turns layers into images with it; it converts a tar since 1.7.
require_mkfs_erofs() {
  install_missing "$logs/apt.log" mkfs.erofs:erofs-utils
  mkfs.erofs --help 2>&1 | grep -q -e --tar= ||
    fail "the mode erofs needs mkfs.erofs of erofs-utils 1.7 or later; this one cannot convert a tar." \
      "Put a newer one first on the path (Debian 13 and Ubuntu 24.04 have one), or leave the mode out."
}

# use_containerd: puts containerd 2 first on the path; the first time it is built, which takes a minute.
use_containerd() {
  if [[ $containerd_version == 1.6 ]]; then
    [[ $(containerd --version) == *" 1.6."* ]] || fail "--containerd 1.6: the system's is $(containerd --version)."
    return
  fi
  local binaries=$cache/go/containerd-${containerd_release#v}
  if [[ ! -x $binaries/containerd || ! -x $binaries/ctr || ! -x $binaries/containerd-shim-runc-v2 ]]; then
    command -v go >/dev/null ||
      fail "containerd 2 is built with Go, which is missing." "Install Go 1.24 or later, or use the system's: --containerd 1.6"
    note "building containerd $containerd_release"
    logged "$logs/go.log" "could not build containerd $containerd_release; is the Go module proxy reachable?" \
      env GOBIN="$binaries" go install \
      "github.com/containerd/containerd/v2/cmd/containerd@$containerd_release" \
      "github.com/containerd/containerd/v2/cmd/ctr@$containerd_release" \
      "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2@$containerd_release"
  fi
  export PATH=$binaries:$PATH
}

# system_json BASE: the mode that use_mode chose, in the form of the measurement's configuration.
system_json() {
  local pull processes='{}' on_demand=null
  if [[ $mode == stargz ]]; then
    pull=$(jq -cn --arg remote "$stargz/ctr-remote" '[$remote, "images", "rpull", "--plain-http", "{image}-esgz"]')
  elif [[ $containerd_version != 1.6 ]]; then
    pull=$(jq -cn --arg s "$snapshotter" --arg suffix "$suffix" '["ctr", "images", "pull", "--plain-http", "--snapshotter", $s, "{image}\($suffix)"]')
  elif [[ $mode == overlayfs ]]; then
    pull='["ctr", "images", "pull", "--plain-http", "{image}"]'
  else
    pull=$(jq -cn --arg faasimage "$bin/faasimage" '[$faasimage, "pull", "{image}"]')
  fi
  processes=$(jq -cn --arg pids "$pids" '{containerd: "\($pids)/containerd"}')
  if [[ $snapshotter == faasimage ]]; then
    processes=$(jq -cn --arg pids "$pids" '{containerd: "\($pids)/containerd", "node-manager": "\($pids)/node-manager",
      "fuse-node": "\($pids)/fuse-node"}')
    on_demand=$(jq -cn --arg faasimage "$bin/faasimage" --arg node "$FAASIMAGE_NODE" \
      '{command: ["env", "FAASIMAGE_NODE=\($node)", $faasimage, "node", "status", "--json"], pointer: "/gate/fetched"}')
  fi
  case $mode in
    stargz) processes=$(jq -cn --arg pids "$pids" '{containerd: "\($pids)/containerd", "containerd-stargz-grpc": "\($pids)/stargz"}') ;;
    nydus) processes=$(jq -cn --arg pids "$pids" '{containerd: "\($pids)/containerd", "containerd-nydus-grpc": "\($pids)/nydus"}') ;;
  esac
  local start='["ctr", "run", "--detach", "--net-host", "--snapshotter", $snapshotter, "{image}\($suffix)", "{id}"]'
  if [[ $mode == limit ]]; then
    # The start is over when all is moved, as no file that it reads may come later.
    pull=$(jq -cn --arg run "$node_run" --arg token "$dir/service/token" --arg mover "$cache/mover" --arg host "$far_address" \
      --arg port "${near_ports[1]}" --arg moved "$node/moved" --argjson pull "$pull" \
      '[$mover, $host, $port, $token, "\($run)/limit.json", $moved, "\($run)/mover.lock", "\($run)/mover.status"] + $pull')
    start='["sh", "-c", "ctr run --detach --net-host --snapshotter \($snapshotter) {image} {id} && flock \($run)/mover.lock grep -qx ok \($run)/mover.status"]'
  fi
  jq -cn --arg mode "$mode" --arg suffix "$suffix" --arg run "$node_run" --arg node "$suite/node.sh" --arg dir "$dir" --arg base "$1" --arg root "$dir/node-$mode" \
    --arg address "$CONTAINERD_ADDRESS" --arg snapshotter "$snapshotter" --argjson pull "$pull" --argjson processes "$processes" \
    --argjson onDemand "$on_demand" '
    ["env", "CONTAINERD_ADDRESS=\($address)", "FAASIMAGE_NODE=\($address | sub("containerd.sock$"; "node.sock"))",
     "CONTAINERD_SUPPRESS_DEPRECATION_WARNINGS=1"] as $env | {
      name: $mode, prepare: [$node, $dir, $mode, "prepare", $base, "{node}", "{image}"], finish: [$node, $dir, $mode, "finish"],
      pull: ($env + $pull), start: ($env + '"$start"'),
      stop: ($env + ["sh", "-c", "ctr task rm --force {id} >/dev/null; ctr containers rm {id}"]),
      $onDemand, disk: [$root], $processes
    }'
}
