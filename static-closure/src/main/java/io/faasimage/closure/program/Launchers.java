package io.faasimage.closure.program;

import io.faasimage.closure.read.Invocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Programs whose arguments, or environment, are a command that they start. */
final class Launchers {
    /** Init processes and programs that change something and continue as another. */
    private static final Set<String> BEFORE_COMMAND = Set.of(("tini tini-static dumb-init catatonit docker-init gosu"
                    + " su-exec setpriv nice ionice nohup timeout stdbuf chroot setuidgid chpst exec xargs time busybox"
                    + " toybox ld.so numactl taskset prlimit aws-lambda-rie")
            .split(" "));

    private static final Set<String> WATCHDOGS = Set.of("fwatchdog", "of-watchdog", "watchdog", "classic-watchdog");
    private static final int MAX_TRIED = 6;

    private Launchers() {}

    /** The commands that {@code called} starts; empty when it is no such program. */
    static List<Invocation> started(String called, Invocation command) {
        if (called.equals("env")) {
            return env(command);
        }
        if (WATCHDOGS.contains(called)) {
            // The watchdogs split at blanks and know no quotes.
            String process = command.variable("fprocess");
            String words = process.isEmpty() ? command.variable("function_process") : process;
            return words.isBlank() ? List.of() : List.of(command.withWords(words(words)));
        }
        return BEFORE_COMMAND.contains(called) ? behindOptions(command) : List.of();
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+"));
    }

    private static List<Invocation> env(Invocation command) {
        Invocation changed = command;
        List<String> words = new ArrayList<>(command.arguments());
        if (!words.isEmpty() && words.getFirst().startsWith("-S")) {
            String split = words.removeFirst().substring(2);
            words.addAll(0, split.isBlank() ? List.of() : words(split));
        }
        while (!words.isEmpty()
                && (words.getFirst().startsWith("-") || words.getFirst().contains("="))) {
            String word = words.removeFirst();
            int equals = word.indexOf('=');
            if (equals > 0) {
                changed = changed.with(word.substring(0, equals), word.substring(equals + 1));
            } else if (word.equals("-u") && !words.isEmpty()) {
                words.removeFirst();
            }
        }
        return words.isEmpty() ? List.of() : List.of(changed.withWords(words));
    }

    /** Where options end is not known for each of these: every word that may be the program is tried. */
    private static List<Invocation> behindOptions(Invocation command) {
        List<String> words = command.arguments();
        List<Invocation> started = new ArrayList<>();
        for (int i = 0; i < Math.min(words.size(), MAX_TRIED); i++) {
            if (words.get(i).equals("--") && i + 1 < words.size()) {
                return List.of(command.withWords(words.subList(i + 1, words.size())));
            }
            if (!words.get(i).isEmpty() && !words.get(i).startsWith("-")) {
                started.add(command.withWords(words.subList(i, words.size())));
            }
        }
        return started;
    }
}
