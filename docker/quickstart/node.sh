#!/bin/bash
# The measurements' operations on the node of a quickstart directory: empty it, or drop caches.
# usage: node.sh DIR PORT-BASE empty | drop-caches
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$here/../bin
. "$here/messages.sh"
. "$here/processes.sh"
. "$here/services.sh"
use_directory "$1"
use_ports "$2"
case $3 in
  empty) empty_node ;;
  drop-caches) drop_caches ;;
  *) fail "unknown: $3" ;;
esac
