# The common parts of measurements: a directory of their own, plans of images, facts beside the figures. Sourced, after
# messages.sh and processes.sh.

# claim_directory DIR MARK: an empty or new one, or one with our mark, which we may remove; opens its lock.
claim_directory() {
  case $1 in
    / | /bin | /boot | /dev | /etc | /home | /lib* | /opt | /proc | /root | /run | /sbin | /srv | /sys | /tmp | /usr | /var | /var/lib)
      fail "--dir $1 is a directory of the system." "Choose one of its own, such as $1/faasimage."
      ;;
    *[[:space:]:,\\\"\']*)
      fail "--dir must be without spaces, quotes, colons, commas and backslashes, not '$1': it ends up in mount options." ;;
  esac
  if [[ -e $1 && ! -e $1/$2 && -n $(ls -A "$1" 2>/dev/null) ]]; then
    fail "$1 is not empty, and was not made by this command." "Choose an empty or new directory with --dir."
  fi
  mkdir -p "$1"
  touch "$1/$2"
  exec 9>"$1/lock"
}

# lock_directory NAME: waits for the remains of a killed run, fails when another one works in $dir; makes its parts.
lock_directory() {
  if ! flock -n 9; then
    ! is_alive "$pids/$1" || fail "another $1 is running in $dir." "Wait for it, or use another directory with --dir."
    # It was killed, and its last command still holds the lock.
    kill_ours '*'
    flock -w 20 9 || fail "something holds $dir/lock." "See who: fuser -v $dir/lock"
  fi
  mkdir -p "$logs" "$pids"
  printf '%s %s\n' "$$" "$(start_time $$)" >"$pids/$1"
}

# plan_image IMAGE NAME PORT PATH OPTION...: registers it with these options, traces one start, waits for its plan.
plan_image() {
  register_image "$@"
  trace_image "$1" "$3" "$4"
}

# register_image IMAGE NAME PORT PATH OPTION...
register_image() {
  logged "$logs/register.log" "could not register $1" "$bin/faasimage" register "$1" --name "$2" --readiness-port "$3" --readiness-path "$4" "${@:5}"
}

# trace_image IMAGE PORT PATH: traces one start, and waits for the plan.
trace_image() {
  logged "$logs/trace.log" "could not trace $1" "$bin/faasimage" trace "$1" --net-host --readiness-port "$2" --readiness-path "$3" --json
}

# first_start IMAGE NAME PORT PATH: registers it and starts it for the first time, on a plan that the service predicts, and
# waits for the plan that its trace makes; sets first_seconds, from the pull to the first answer. Where too little is known
# to predict a plan, the first start is that of trace_image, and first_seconds is empty.
first_start() {
  local begin end
  register_image "$@"
  wait_until 300 "the prediction for $1 did not end within 300 s." jobs_ended
  first_seconds=
  if [[ $(image_fact "$1" .predicted) != true ]]; then
    trace_image "$1" "$3" "$4"
    return
  fi
  drop_caches
  begin=$(date +%s%N)
  logged "$logs/first.log" "could not pull $1" "$bin/faasimage" pull "$1"
  logged "$logs/first.log" "could not start $1" ctr run --detach --net-host --snapshotter faasimage "$1" "first-$2"
  wait_until 120 "$2 did not answer at http://127.0.0.1:$3$4 within 120 s of its first start." curl -sf -o /dev/null "http://127.0.0.1:$3$4"
  end=$(date +%s%N)
  first_seconds=$(jq -n "($end - $begin) / 1e7 | round / 100")
  wait_until 180 "the trace of the first start of $2 did not arrive within 180 s." is_traced "$1"
  wait_until 300 "the plan of $2 was not ready within 300 s." jobs_ended
  logged "$logs/first.log" "could not end $1" ctr task rm --force "first-$2"
  logged "$logs/first.log" "could not remove $1" ctr container rm "first-$2"
}

# wait_until SECONDS TEXT COMMAND...: until the command succeeds; fails with the text.
wait_until() {
  local deadline=$((SECONDS + $1)) text=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < deadline)) || fail "$text" "Logs: $logs"
    sleep 0.01
  done
}

# image_fact IMAGE FILTER: a field of the service's information about an image.
image_fact() { "$bin/faasimage" image inspect "$1" --json | jq -r "$2"; }

is_traced() { [[ $(image_fact "$1" .predicted) == false ]]; }

jobs_ended() { "$bin/faasimage" jobs --json | jq -e 'all(.state | IN("DONE", "FAILED"))'; }

# trace_parts IMAGE PORT PATH: a start of a planned image, which reports the parts of large files that it reads.
trace_parts() {
  # So far its layers are there as containerd unpacked them.
  logged "$logs/trace.log" "could not remove $1" ctr image rm --sync "$1"
  logged "$logs/trace.log" "could not pull $1" "$bin/faasimage" pull --wait "$1"
  trace_image "$@"
}

machine_json() {
  jq -cn --arg time "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --arg kernel "$(uname -r)" --argjson processors "$(nproc)" \
    --argjson memory "$(awk '/^MemTotal/ {print $2 * 1024}' /proc/meminfo)" \
    --arg containerd "$(containerd --version | awk '{print $3}')" --arg load "$(cut -d' ' -f1 /proc/loadavg)" \
    '{$time, $kernel, $processors, memoryBytes: $memory, $containerd, loadBefore: ($load | tonumber)}'
}

# refactor_seconds: how long the last refactor job took.
refactor_seconds() {
  curl -sf -H "Authorization: Bearer $FAASIMAGE_TOKEN" "$FAASIMAGE_URL/v1/jobs" | jq -r '
    def seconds: capture("(?<whole>[^.Z]*)(?<part>\\.[0-9]+)?Z") | ((.whole + "Z") | fromdateiso8601) + ("0" + (.part // "") | tonumber);
    (if type == "array" then . else .jobs end) | map(select(.finished != null)) | max_by(.finished)
    | (.finished | seconds) - (.created | seconds) | . * 100 | round / 100'
}
