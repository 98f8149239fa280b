# The figures of quickstart, from the suite's JSON: a table of medians with every system beside the first
# one, and a few lines below it.

def decimal: (if . < 0 then "-" else "" end) + (fabs * 10 | round | "\(. / 10 | floor).\(. % 10)");
def percent($whole): 100 * . / ([$whole, 1] | max) | decimal + " %";
def megabytes: . / 1e6 | decimal;
def ms: .median * 1000 | round | tostring;
def spread: "\(ms) (\({median: .min} | ms)-\({median: .max} | ms))";
def padded($width; $left): (" " * ($width - length) // "") as $space | if $left then . + $space else $space + . end;
def table:
  (transpose | map(map(length) | max)) as $widths
  | .[] | [range(length) as $i | .[$i] | padded($widths[$i]; $i < 2)] | join("  ") | sub(" +$"; "");

.series as $all
| def base: . as $one | first($all[] | select(.function == $one.function));
  ([
    ["", "", "pull ms", "start ms", "first answer ms", "total ms (min-max)", "MB moved"],
    ($all[] | base as $base
      | ["cold \(.function)", .system, (.pull, .start, .answer | ms), (.total | spread), (.answerBytes.median | megabytes)],
        (select(.system != $base.system)
          | ["", "", "", "", "", "\($base.total.median / .total.median | decimal) times shorter",
             (.answerBytes.median | percent($base.answerBytes.median))])),
    ($all[] | base as $base
      | ["warm \(.function)", .system, "-", (.warmStart, .warmAnswer | ms), (.warm | spread), (.warmBytes.median | megabytes)],
        (select(.system != $base.system)
          | ["", "", "", "", "", (100 * (.warm.median / $base.warm.median - 1) | (if . < 0 then "" else "+" end) + decimal + " %"), ""]))
  ] | table),
  ($all[] | . as $one | first($all[] | select(.system == $one.system)) | select(.function != $one.function)
    | "\(.system): '\($one.function)' after '\(.function)' moved \(.answerBytes.median as $first | $one.answerBytes.median | percent($first)) of its bytes"),
  ([$all[].samples[].warmFuseRequests | values] | select(length > 0) | "FUSE requests in all warm starts: \(add)"),
  ($all[-1].samples[-1].residentBytes | del(.containerd)
    | "resident when idle:\(to_entries | map("  \(.key) \(.value / 1e6 | round) MB") | add)  together \(add / 1e6 | round) MB"),
  (.facts.images[]
    | "image \(.function): \(.compressedBytes / 1e6 | . * 10 | round / 10) MB compressed, refactored in \(.refactorSeconds) s"
      + if .firstStartSeconds then "; first start, on a predicted plan, \(.firstStartSeconds) s" else "" end)
