# stargz-snapshotter as a peer, of binaries that the user gives: eStargz images optimized by a recorded start, pulled
# lazily. Sourced, after platform.sh.

# check_stargz: whether the binaries are there.
check_stargz() {
  local program
  for program in containerd-stargz-grpc ctr-remote; do
    [[ -x $stargz/$program ]] || fail "--stargz: there is no $program in $stargz." "Give the directory with its binaries; see its release page."
  done
}

start_stargz() {
  cat >"$node_run/stargz.toml" <<EOT
[[resolver.host."$oci_registry".mirrors]]
  host = "$oci_registry"
  insecure = true
EOT
  start_process stargz "$stargz/containerd-stargz-grpc" --root "$node/stargz" --address "$node_run/stargz.sock" \
    --config "$node_run/stargz.toml" --log-level warn
  await stargz 30 test -S "$node_run/stargz.sock"
}

# optimize_image NAME IMAGE: pushes IMAGE-esgz, unless that of this very image is there. Its start is recorded for 10 s, with
# a request in it, as faasimage's is. On a node of the mode overlayfs.
optimize_image() {
  local name=$1 image=$2 digest stamp=$cache/peers/stargz-$1 optimizer
  digest=$(skopeo inspect --tls-verify=false --format '{{.Digest}}' "docker://$image")
  if [[ -r $stamp && $(<"$stamp") == "$digest" ]] && skopeo inspect --tls-verify=false "docker://$image-esgz" >/dev/null 2>&1; then
    return
  fi
  logged "$logs/stargz-images.log" "could not pull $image" ctr images pull --plain-http --snapshotter overlayfs "$image"
  "$stargz/ctr-remote" images optimize --oci --net-host --period 10 "$image" "$image-esgz" >>"$logs/stargz-images.log" 2>&1 &
  optimizer=$!
  # One good answer, as in the trace of faasimage. A base image serves nothing.
  while kill -0 "$optimizer" 2>/dev/null && ! curl -sf --max-time 5 "http://127.0.0.1:$port/" >/dev/null; do
    sleep 0.2
  done
  wait "$optimizer" || { show_end "$logs/stargz-images.log"; fail "ctr-remote could not optimize $image." "All of it: $logs/stargz-images.log"; }
  logged "$logs/stargz-images.log" "could not push $image-esgz" ctr images push --plain-http "$image-esgz"
  mkdir -p "$cache/peers"
  printf '%s\n' "$digest" >"$stamp"
}

# optimize_images: all of this bench.
optimize_images() {
  local name image
  use_mode overlayfs
  start_node
  while IFS=$'\t' read -r name image; do
    optimize_image "$name" "$image"
    note "$name: $image-esgz"
  done < <(jq -r '[.function, .image] | @tsv' "$dir/images.jsonl")
  stop_node
}
