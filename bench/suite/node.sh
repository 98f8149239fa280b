#!/bin/bash
# The preparation of a node for a cold start. usage: node.sh DIR MODE prepare fresh|held RUNTIME IMAGE | finish
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$here/../../docker/bin
. "$here/../../docker/quickstart/messages.sh"
. "$here/../../docker/quickstart/processes.sh"
. "$here/platform.sh"
. "$here/stargz.sh"
. "$here/nydus.sh"
use_bench_directory "$1"
use_settings
use_ports
use_mode "$2"
case $3 in
  prepare)
    stop_node
    start_node
    [[ $mode != first ]] || predict_image "$6" >/dev/null
    [[ $4 != held ]] || pull_image "$oci_registry/${5}_base:bench"
    drop_caches
    [[ $mode != floor && $mode != limit ]] || hold_image "$6"
    [[ $mode != limit ]] || write_request "$6"
    # A node at rest: the work of its programs' first seconds, compilers and collectors above all, is over.
    sleep 2
    touch_memory
    ;;
  finish) stop_node ;;
  *) fail "unknown: $3" ;;
esac
