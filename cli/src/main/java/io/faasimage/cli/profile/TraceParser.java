package io.faasimage.cli.profile;

import io.faasimage.cli.profile.TraceEvent.Cgroup;
import io.faasimage.cli.profile.TraceEvent.End;
import io.faasimage.cli.profile.TraceEvent.Enter;
import io.faasimage.cli.profile.TraceEvent.Exec;
import io.faasimage.cli.profile.TraceEvent.Exit;
import io.faasimage.cli.profile.TraceEvent.Fork;
import io.faasimage.cli.profile.TraceEvent.Stack;
import io.faasimage.cli.profile.TraceEvent.Switch;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the kernel's trace as text. Unknown events are passed over.
 *
 * @see <a href="https://docs.kernel.org/trace/ftrace.html">ftrace</a>, "Output format"
 */
final class TraceParser {
    /** For example {@code runc-4418 [001] ..... 37828.554206: sys_clone(clone_flags: 11)}; a name may have spaces. */
    private static final Pattern LINE =
            Pattern.compile("\\s*\\S.*?-(\\d+)\\s+(?:\\(.*?\\)\\s+)?\\[\\d+]\\s+\\S+\\s+(\\d+)\\.(\\d{6}): (.*)");

    /** The oldest events are overwritten without another sign. */
    private static final Pattern ENTRIES = Pattern.compile("# entries-in-buffer/entries-written: (\\d+)/(\\d+)\\s.*");

    private static final Pattern LOST = Pattern.compile("CPU:\\d+ \\[LOST .*EVENTS]\\s*");
    private static final Pattern ENTER = Pattern.compile("sys_(\\w+)\\(.*");
    private static final Pattern EXIT = Pattern.compile("sys_\\w+ -> .*");
    private static final Pattern SWITCH =
            Pattern.compile(".*prev_pid=(\\d+) .*prev_state=(\\S).* next_pid=(\\d+) next_prio=\\d+");
    private static final Pattern CHILD = Pattern.compile(".*child_pid=(\\d+)");
    private static final Pattern FILE = Pattern.compile("filename=(.*) pid=\\d+ old_pid=\\d+");
    private static final String FRAME = " => ";

    private final List<TraceEvent> events = new ArrayList<>();
    private @Nullable Stack stack;

    private TraceParser() {}

    /**
     * Reads a trace to its end.
     *
     * @throws IOException when it cannot be read, or says that events were lost
     */
    static List<TraceEvent> parse(BufferedReader trace) throws IOException {
        TraceParser parser = new TraceParser();
        for (String line = trace.readLine(); line != null; line = trace.readLine()) {
            parser.line(line);
        }
        parser.endStack();
        return parser.events;
    }

    private void line(String line) throws IOException {
        if (line.startsWith(FRAME)) {
            if (stack != null) {
                stack.functions().add(line.substring(FRAME.length()).strip());
            }
            return;
        }
        endStack();
        Matcher entries = ENTRIES.matcher(line);
        if (LOST.matcher(line).matches()
                || (entries.matches() && !entries.group(1).equals(entries.group(2)))) {
            throw new IOException("the kernel dropped events of the trace: " + line.strip());
        }
        Matcher matcher = LINE.matcher(line);
        if (!line.startsWith("#") && matcher.matches()) {
            int thread = Integer.parseInt(matcher.group(1));
            long micros = Long.parseLong(matcher.group(2)) * 1_000_000 + Long.parseLong(matcher.group(3));
            event(thread, micros, matcher.group(4));
        }
    }

    private void endStack() {
        if (stack != null) {
            events.add(stack);
            stack = null;
        }
    }

    private void event(int thread, long micros, String text) {
        if (text.startsWith("<stack trace>")) {
            stack = new Stack(micros, thread, new ArrayList<>());
            return;
        }
        Matcher enter = ENTER.matcher(text);
        int colon = text.indexOf(": ");
        if (enter.matches()) {
            events.add(new Enter(micros, thread, enter.group(1)));
        } else if (EXIT.matcher(text).matches()) {
            events.add(new Exit(micros, thread));
        } else if (colon >= 0) {
            String name = text.substring(0, colon);
            of(name, thread, micros, text.substring(colon + 2)).ifPresent(events::add);
        }
    }

    private static Optional<TraceEvent> of(String name, int thread, long micros, String fields) {
        return switch (name) {
            case "sched_switch" ->
                matched(SWITCH, fields)
                        .map(found -> new Switch(
                                micros,
                                Integer.parseInt(found.group(1)),
                                found.group(2).charAt(0),
                                Integer.parseInt(found.group(3))));
            case "sched_process_fork" ->
                matched(CHILD, fields).map(child -> new Fork(micros, thread, Integer.parseInt(child.group(1))));
            case "sched_process_exec" -> matched(FILE, fields).map(file -> new Exec(micros, thread, file.group(1)));
            case "sched_process_exit" -> Optional.of(new End(micros, thread));
            case "cgroup_mkdir", "cgroup_attach_task", "cgroup_rmdir", "cgroup_transfer_tasks" ->
                Optional.of(new Cgroup(micros, thread));
            default -> Optional.empty();
        };
    }

    private static Optional<Matcher> matched(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.matches() ? Optional.of(matcher) : Optional.empty();
    }
}
