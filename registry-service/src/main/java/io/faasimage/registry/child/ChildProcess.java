package io.faasimage.registry.child;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.registry.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.unit.DataSize;

/** One child while it runs, from its start to its end. Its output goes to the service's log. */
final class ChildProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);

    /** Memory of a child beyond its heap: code, threads, and the buffers of zstd (decision 49). */
    private static final DataSize BESIDES = DataSize.ofMegabytes(384);

    /** The status of a process that was killed, as Java reports it. */
    private static final int KILLED = 128 + 9;

    private static final int LINE_CHARS = 2000;
    private static final List<String> INHERITED = List.of("PATH", "LANG", "LC_ALL", "TZ");

    private final Process process;
    private final DataSize memory;
    private final Path temporary;
    private final ChildPipe pipe;

    private ChildProcess(Process process, DataSize memory, Path temporary) {
        this.process = process;
        this.memory = memory;
        this.temporary = temporary;
        this.pipe = new ChildPipe(process.getInputStream(), process.getOutputStream());
    }

    /** Starts a child that has {@code temporary}, which must not exist, for its temporary files until it ends. */
    static ChildProcess start(DataSize memory, Path temporary) throws IOException {
        Files.createDirectory(temporary);
        ProcessBuilder builder = new ProcessBuilder(command(memory, temporary));
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        environment.put("MALLOC_ARENA_MAX", "2");
        ChildProcess child = new ChildProcess(builder.start(), memory, temporary);
        Thread.ofPlatform().daemon().name("child-" + child.process.pid()).start(child::log);
        return child;
    }

    /** The kernel counts the memory that a process may write to and does not share: RLIMIT_DATA of setrlimit(2). */
    private static List<String> command(DataSize memory, Path temporary) {
        List<String> command = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                "ulimit -d \"$0\" && exec \"$@\"",
                String.valueOf(memory.toKilobytes() + BESIDES.toKilobytes())));
        command.addAll(JavaCommand.of(
                List.of(
                        "-Xmx" + memory.toKilobytes() + "k",
                        "-XX:+DisplayVMOutputToStderr",
                        "-XX:+ErrorFileToStderr",
                        "-XX:-CreateCoredumpOnCrash",
                        "-Djava.util.logging.SimpleFormatter.format=%4$s %5$s%6$s%n",
                        "-Djava.io.tmpdir=" + temporary),
                ChildProgram.class.getName()));
        return command;
    }

    private void log() {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8), LINE_CHARS)) {
            StringBuilder line = new StringBuilder();
            for (int c = lines.read(); c >= 0; c = lines.read()) {
                if (!Character.isISOControl(c)) {
                    line.append((char) c);
                }
                if (c == '\n' || line.length() == LINE_CHARS) {
                    LOG.warn("process {} of a job: {}", process.pid(), line);
                    line.setLength(0);
                }
            }
        } catch (IOException e) {
            LOG.debug("the output of process {} ends", process.pid(), e);
        }
    }

    ChildPipe pipe() {
        return pipe;
    }

    long pid() {
        return process.pid();
    }

    /** Why a child ended that did not say so itself; waits for its end. */
    RefactorException death(String image) throws IOException {
        int status;
        try {
            status = process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefactorException(Kind.CANCELLED, "interrupted", e);
        }
        return switch (status) {
            case ChildProgram.OUT_OF_MEMORY ->
                new RefactorException(
                        Kind.LIMIT,
                        "refactoring " + image + " takes more memory than the " + memory.toMegabytes()
                                + " MB of its process; --faasimage.refactor.memory raises it for images that are"
                                + " trusted");
            case KILLED ->
                new RefactorException(
                        Kind.UNAVAILABLE,
                        "the process that refactored " + image + " was killed; if its machine ran out of memory,"
                                + " --faasimage.refactor.memory and --faasimage.workers say what jobs may take");
            default ->
                new RefactorException(
                        Kind.LOCAL,
                        "the process that refactored " + image + " ended with status " + status
                                + "; the service's log has its last words. If it could not get memory,"
                                + " --faasimage.refactor.memory raises what it may have");
        };
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process if it still runs, waits for its end, and removes its temporary files. */
    @Override
    public void close() {
        process.destroyForcibly();
        boolean interrupted = false;
        while (true) {
            try {
                process.waitFor();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        try {
            FileSystemUtils.deleteRecursively(temporary);
        } catch (IOException e) {
            LOG.warn("could not remove {}; it goes when the service starts again: {}", temporary, e.toString());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
