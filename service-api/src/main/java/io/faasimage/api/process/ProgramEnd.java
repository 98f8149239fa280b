package io.faasimage.api.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The end of a program that was run for an answer.
 *
 * @param exit its exit code
 * @param output the last 64 KiB of its standard output, as UTF-8
 * @param errors the same of its standard error; empty when that was redirected
 */
public record ProgramEnd(int exit, String output, String errors) {
    private static final int KEPT_BYTES = 64 << 10;

    /**
     * Waits for a program's end, and that of its output. A program that is late is killed with its children.
     *
     * @param name of the program in messages
     * @param process which was just started
     * @param input its whole standard input; it need not read it
     * @throws InterruptedIOException when the caller is interrupted, which it stays
     * @throws IOException when it does not end within {@code limit}, or its output cannot be read
     */
    public static ProgramEnd await(String name, Process process, byte[] input, Duration limit) throws IOException {
        try {
            CompletableFuture<String> output = read(process.getInputStream());
            CompletableFuture<String> errors = read(process.getErrorStream());
            start(() -> write(process.getOutputStream(), input));
            CompletableFuture.allOf(process.onExit(), output, errors).get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return new ProgramEnd(process.exitValue(), output.resultNow(), errors.resultNow());
        } catch (TimeoutException e) {
            throw new IOException(name + " did not end within " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException("the output of " + name + " could not be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + name + " ran");
        } finally {
            // The program first: it would continue where its child ended.
            List<ProcessHandle> children = process.descendants().toList();
            process.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** On a platform thread: a pipe that a child of the program keeps open would block a carrier of virtual threads. */
    private static void start(Runnable task) {
        Thread.ofPlatform().name("program").daemon().start(task);
    }

    private static void write(OutputStream stream, byte[] input) {
        try (stream) {
            stream.write(input);
        } catch (IOException e) {
            // The program did not read all of it; its output and its exit code are the result.
            return;
        }
    }

    private static CompletableFuture<String> read(InputStream stream) {
        CompletableFuture<String> text = new CompletableFuture<>();
        start(() -> {
            try (stream) {
                text.complete(last(stream));
            } catch (IOException e) {
                text.completeExceptionally(e);
            }
        });
        return text;
    }

    private static String last(InputStream stream) throws IOException {
        byte[] bytes = new byte[2 * KEPT_BYTES];
        int length = 0;
        for (int n = stream.read(bytes); n >= 0; n = stream.read(bytes, length, bytes.length - length)) {
            length += n;
            if (length == bytes.length) {
                System.arraycopy(bytes, KEPT_BYTES, bytes, 0, KEPT_BYTES);
                length = KEPT_BYTES;
            }
        }
        int kept = Math.min(length, KEPT_BYTES);
        return new String(bytes, length - kept, kept, StandardCharsets.UTF_8);
    }
}
