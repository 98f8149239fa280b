package io.faasimage.cli.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** The threads of one start, followed through its events up to the first instruction of the container's own program. */
final class StartTimeline {
    private static final Pattern SHIM = Pattern.compile(".*/containerd-shim[^/]*");
    /** A runtime that runs itself again, from where a container cannot reach its file. */
    private static final Pattern ITSELF = Pattern.compile("/proc/self/exe|(/dev|/proc/self)/fd/\\d+|memfd:.*");

    /** Calls by which a process gives itself the container's root. */
    private static final Set<String> NEW_ROOT = Set.of("pivot_root", "chroot");

    private final Map<Integer, ThreadState> threads = new HashMap<>();
    private final List<Activity> activities = new ArrayList<>();
    private final long begin;
    private OptionalLong end = OptionalLong.empty();

    private StartTimeline(long begin) {
        this.begin = begin;
    }

    /**
     * Takes a start apart; empty when its end is not among the events (yet).
     *
     * @param begin when the client was called, microseconds
     */
    static Optional<StartProfile> profile(List<TraceEvent> events, long begin) {
        StartTimeline timeline = new StartTimeline(begin);
        for (TraceEvent event : events) {
            timeline.take(event);
            if (timeline.end.isPresent()) {
                return Optional.of(timeline.profile(timeline.end.getAsLong()));
            }
        }
        return Optional.empty();
    }

    private void take(TraceEvent event) {
        long micros = event.micros();
        switch (event) {
            case TraceEvent.Enter enter -> {
                ThreadState state = state(enter.thread());
                state.enters(Category.of(enter.call()), micros);
                if (state.part() == Part.RUNTIME && NEW_ROOT.contains(enter.call())) {
                    // crun does not run itself again inside of the container.
                    state.becomes(Part.INIT, micros);
                }
            }
            case TraceEvent.Exit exit -> state(exit.thread()).exits(micros);
            case TraceEvent.Switch change -> {
                if (threads.containsKey(change.from())) {
                    state(change.from()).leavesProcessor(change.state(), micros);
                }
                if (threads.containsKey(change.to())) {
                    state(change.to()).goesOn(micros);
                }
            }
            case TraceEvent.Stack stack -> state(stack.thread()).waitsFor(WaitReason.of(stack.functions()));
            case TraceEvent.Fork fork ->
                threads.put(fork.child(), new ThreadState(state(fork.parent()).part(), true, micros, activities));
            case TraceEvent.Exec exec -> exec(exec.thread(), exec.file(), micros);
            case TraceEvent.End end -> state(end.thread()).ends(micros);
            case TraceEvent.Cgroup cgroup -> state(cgroup.thread()).concernsCgroups();
        }
    }

    /** A thread that was there before the trace is one of containerd's. */
    private ThreadState state(int thread) {
        return threads.computeIfAbsent(thread, _ -> new ThreadState(Part.CONTAINERD, false, begin, activities));
    }

    private void exec(int thread, String file, long micros) {
        ThreadState state = state(thread);
        Part part = state.part();
        if (SHIM.matcher(file).matches()) {
            state.becomes(Part.SHIM, micros);
        } else if (part == Part.SHIM) {
            state.becomes(Part.RUNTIME, micros);
        } else if (part == Part.RUNTIME && ITSELF.matcher(file).matches()) {
            state.becomes(Part.INIT, micros);
        } else if (part == Part.INIT && !ITSELF.matcher(file).matches()) {
            end = OptionalLong.of(micros);
            threads.values().forEach(each -> each.ends(micros));
        }
    }

    private record Edge(long micros, boolean begins, Activity activity) {}

    /** Gives each stretch of time to the innermost program that works then. */
    private StartProfile profile(long finished) {
        List<Edge> edges = new ArrayList<>();
        for (Activity activity : activities) {
            if (activity.to() > begin) {
                edges.add(new Edge(Math.max(begin, activity.from()), true, activity));
                edges.add(new Edge(activity.to(), false, activity));
            }
        }
        edges.sort(Comparator.comparingLong(Edge::micros));
        Sums sums = new Sums();
        List<Activity> open = new ArrayList<>();
        long last = begin;
        for (Edge edge : edges) {
            sums.add(open, edge.micros() - last);
            last = edge.micros();
            if (edge.begins()) {
                open.add(edge.activity());
            } else {
                open.remove(edge.activity());
            }
        }
        sums.add(List.of(), finished - last);
        return new StartProfile(finished - begin, sums.parts, sums.waits);
    }

    private static final class Sums {
        /** Of several, the innermost; of the same part, one that runs rather than one that waits. */
        private static final Comparator<Activity> INNERMOST = Comparator.comparing(Activity::part)
                .thenComparing(activity -> activity.reason().isEmpty());

        private final Map<Part, Map<Category, Long>> parts = new EnumMap<>(Part.class);
        private final Map<WaitReason, Long> waits = new EnumMap<>(WaitReason.class);

        void add(List<Activity> open, long micros) {
            if (micros == 0) {
                return;
            }
            if (open.isEmpty()) {
                add(Part.CLIENT, Category.SYNCHRONISATION, micros);
                return;
            }
            Activity chosen = open.stream().max(INNERMOST).orElseThrow();
            add(chosen.part(), chosen.category(), micros);
            chosen.reason().ifPresent(reason -> waits.merge(reason, micros, Long::sum));
        }

        private void add(Part part, Category category, long micros) {
            parts.computeIfAbsent(part, _ -> new EnumMap<>(Category.class)).merge(category, micros, Long::sum);
        }
    }
}
