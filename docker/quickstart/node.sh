#!/bin/bash
# The measurements' operations on the node of a quickstart directory: empty it for a system's first function, or drop
# caches. overlayfs uses nothing of the agent, which is not started again for it.
# usage: node.sh DIR PORT-BASE overlayfs|faasimage empty|drop-caches
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$here/../bin
. "$here/messages.sh"
. "$here/processes.sh"
. "$here/services.sh"
use_directory "$1"
use_ports "$2"
case $3-$4 in
  overlayfs-empty) empty_containerd ;;
  faasimage-empty) empty_node ;;
  *-drop-caches) drop_caches ;;
  *) fail "unknown: $3 $4" ;;
esac
