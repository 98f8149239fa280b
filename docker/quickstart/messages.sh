# Progress and errors of quickstart and check. Sourced.

started_at=$SECONDS

# step TEXT: a heading with the time since the start.
step() { printf '\n[%3d s] %s\n' "$((SECONDS - started_at))" "$*"; }

note() { printf '        %s\n' "$*"; }

# fail TEXT...: each argument a line; the last ones name the remedy.
fail() {
  printf '\nerror: %s\n' "$1" >&2
  shift
  local line
  for line in "$@"; do
    printf '       %s\n' "$line" >&2
  done
  exit 1
}

# show_end FILE: the end of a log, indented.
show_end() {
  [[ -s $1 ]] || return 0
  printf '        the end of %s:\n' "$1" >&2
  tail -n 25 "$1" | sed 's/^/        | /' >&2
}

# logged LOG TEXT COMMAND...: runs a command with its output in a log, and shows the log's end when it fails.
logged() {
  local log=$1 text=$2
  shift 2
  if ! "$@" >>"$log" 2>&1 </dev/null; then
    show_end "$log"
    fail "$text" "Full log: $log"
  fi
}
