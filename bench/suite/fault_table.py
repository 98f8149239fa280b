"""What a run of bench/faults found, as a table and as one JSON document."""
import time

BEGAN = time.monotonic()
HEAD = "                 %-44s %-21s %8s %6s %5s %7s %9s %6s %5s" % (
    "fault", "at", "injected", "reads", "wrong", "present", "fetchable", "stall", "leaks")


def cells(row):
    return "%-44s %-21s %8d %6d %5d %7d %9d %5.1fs %5d" % (
        row.fault, row.point, row.injected, row.reads, row.wrong, row.present, row.fetchable, row.stall, row.leaks)


def summary(rows, options):
    total = {
        "injected": sum(row.injected for row in rows),
        "reads": sum(row.reads for row in rows),
        "starts": sum(row.starts for row in rows),
        "wrongBytes": sum(row.wrong for row in rows),
        "failedPresent": sum(row.present for row in rows),
        "failedFetchable": sum(row.fetchable for row in rows),
        "longestStallSeconds": round(max((row.stall for row in rows), default=0), 2),
        "leaks": sum(row.leaks for row in rows),
    }
    form = "quick" if options.quick else "full"
    return {**total, "seed": options.seed, "form": form, "seconds": round(time.monotonic() - BEGAN),
            "rows": [row.json() for row in rows]}


def table(document):
    """The table in Markdown."""
    yield ("| fault | at | injected | reads | wrong bytes | failed: present | failed: fetchable | longest stall"
           " | leaks |")
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    cell = ("| {fault} | {point} | {injected} | {reads} | {wrongBytes} | {failedPresent} | {failedFetchable}"
            " | {longestStallSeconds} s | {leaks} |")
    for row in document["rows"]:
        yield cell.format(**row)
    yield cell.format(fault="**all**", point="", **{key: document[key] for key in document if key != "rows"})
    yield ""
    yield ("%(injected)d faults injected in %(seconds)d s, %(starts)d starts, %(reads)d reads; seed %(seed)d,"
           " %(form)s form" % document)


def keep(file, document):
    """Puts the table into a page between two lines that mark its place."""
    with open(file) as page:
        before, begin, rest = page.read().partition("<!-- bench/faults -->\n")
    _, end, after = rest.partition("<!-- end -->\n")
    if not end:
        raise SystemExit("%s has no place for the table" % file)
    with open(file, "w") as page:
        page.write(before + begin + "\n".join(table(document)) + "\n" + end + after)

