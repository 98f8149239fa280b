# Nydus as a peer, of binaries that the user gives: RAFS v6 images over FUSE with zstd blobs, their prefetch table made from
# the trace that faasimage took. Sourced, after platform.sh.

check_nydus() {
  local program
  for program in containerd-nydus-grpc nydusd nydus-image nydusify; do
    [[ -x $nydus/$program ]] || fail "--nydus: there is no $program in $nydus." "Give the directory with its binaries; see its release page."
  done
}

start_nydus() {
  # It would raise its limit of open files to a million, which not every machine lets it.
  printf '#!/bin/sh\nexec "%s/nydusd" "$@" --rlimit-nofile 0\n' "$nydus" >"$node_run/nydusd"
  chmod +x "$node_run/nydusd"
  cat >"$node_run/nydusd.json" <<EOT
{"device": {"backend": {"type": "registry", "config": {"scheme": "http", "timeout": 5, "connect_timeout": 5, "retry_limit": 2}},
  "cache": {"type": "blobcache"}}, "mode": "direct", "digest_validate": false, "iostats_files": false, "enable_xattr": true,
  "amplify_io": 1048576, "fs_prefetch": {"enable": true, "threads_count": 8, "merging_size": 1048576, "prefetch_all": false}}
EOT
  cat >"$node_run/nydus.toml" <<EOT
version = 1
root = "$node/nydus"
address = "$node_run/nydus.sock"
daemon_mode = "dedicated"
[system]
enable = false
[daemon]
nydusd_config = "$node_run/nydusd.json"
nydusd_path = "$node_run/nydusd"
nydusimage_path = "$nydus/nydus-image"
fs_driver = "fusedev"
recover_policy = "none"
[cgroup]
enable = false
[log]
log_to_stdout = true
level = "warn"
[metrics]
address = ""
[remote]
skip_ssl_verify = true
EOT
  start_process nydus "$nydus/containerd-nydus-grpc" --config "$node_run/nydus.toml"
  await nydus 30 test -S "$node_run/nydus.sock"
}

# convert_image NAME IMAGE: pushes IMAGE-nydus, unless that of this very image is there.
convert_image() {
  local name=$1 image=$2 digest stamp=$cache/peers/nydus-$1 list=$dir/prefetch
  local options=(--source "$image" --target "$image-nydus" --source-insecure --target-insecure --plain-http --fs-version 6 --compressor zstd
    --nydus-image "$nydus/nydus-image" --work-dir "$dir/nydusify")
  digest=$(skopeo inspect --tls-verify=false --format '{{.Digest}}' "docker://$image")
  if [[ -r $stamp && $(<"$stamp") == "$digest" ]] && skopeo inspect --raw --tls-verify=false "docker://$image-nydus" >/dev/null 2>&1; then
    return
  fi
  : >"$list"
  if curl -sf -H "Authorization: Bearer $FAASIMAGE_TOKEN" "$FAASIMAGE_URL/v1/images/$digest/trace" >"$list.trace"; then
    "$bin/faasimage" inspect --json "$list.trace" | jq -r '.entries[].path' >"$list"
    options+=(--prefetch-patterns)
  fi
  "$nydus/nydusify" convert "${options[@]}" <"$list" >>"$logs/nydus-images.log" 2>&1 ||
    { show_end "$logs/nydus-images.log"; fail "nydusify could not convert $image." "All of it: $logs/nydus-images.log"; }
  mkdir -p "$cache/peers"
  printf '%s\n' "$digest" >"$stamp"
}

# convert_images: all of this bench.
convert_images() {
  local name image
  while IFS=$'\t' read -r name image; do
    convert_image "$name" "$image" </dev/null
    note "$name: $image-nydus"
  done < <(jq -r '[.function, .image] | @tsv' "$dir/images.jsonl")
}
