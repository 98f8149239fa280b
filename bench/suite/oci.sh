# Images of layers, as OCI layouts that skopeo pushes. Sourced.

# blob FILE: stores it in $layout under its digest, prints {digest, size}.
blob() {
  local digest
  digest=$(sha256sum "$1" | cut -d' ' -f1)
  ln "$1" "$layout/blobs/sha256/$digest" 2>/dev/null || cp "$1" "$layout/blobs/sha256/$digest"
  jq -cn --arg digest "sha256:$digest" --argjson size "$(stat -c %s "$1")" '{$digest, $size}'
}

# push_image REFERENCE PORT COMMAND-JSON LAYER...: prints the manifest's digest.
push_image() {
  local reference=$1 port=$2 command=$3 layout work facts manifest name
  shift 3
  work=$(mktemp -d "$layers/.work.XXXXXX")
  layout=$work/layout
  mkdir -p "$layout/blobs/sha256"
  printf '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
  for name in "$@"; do
    ln "$layers/$name/layer.tar.gz" "$layout/blobs/sha256/$(jq -r '.digest[7:]' "$layers/$name/facts.json")" 2>/dev/null || true
  done
  facts=$(for name in "$@"; do cat "$layers/$name/facts.json"; done | jq -cs .)
  jq -cn --arg port "$port" --argjson command "$command" --argjson facts "$facts" --arg architecture "$(dpkg --print-architecture)" '
    "2026-01-01T00:00:00Z" as $created | {
      $created, $architecture, os: "linux",
      config: {
        Env: ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "PYTHONUNBUFFERED=1", "NODE_ENV=production", "PORT=\($port)"],
        Cmd: $command, WorkingDir: "/home/app", User: "1000:1000", ExposedPorts: {"\($port)/tcp": {}}
      },
      rootfs: {type: "layers", diff_ids: $facts | map(.diffId)},
      history: $facts | map({$created, created_by: "faasimage bench"})
    }' >"$work/config.json"
  jq -cn --argjson config "$(blob "$work/config.json")" --argjson facts "$facts" '{
      schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json",
      config: ({mediaType: "application/vnd.oci.image.config.v1+json"} + $config),
      layers: $facts | map({mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", digest, size})
    }' >"$work/manifest.json"
  manifest=$(blob "$work/manifest.json")
  jq -cn --argjson manifest "$manifest" '{
      schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json",
      manifests: [{mediaType: "application/vnd.oci.image.manifest.v1+json"} + $manifest
        + {annotations: {"org.opencontainers.image.ref.name": "function"}}]
    }' >"$layout/index.json"
  skopeo --insecure-policy copy --quiet --preserve-digests --dest-tls-verify=false "oci:$layout:function" "docker://$reference" >&2 ||
    fail "could not push $reference (see above); is the registry running?"
  rm -rf "$work"
  jq -r .digest <<<"$manifest"
}
