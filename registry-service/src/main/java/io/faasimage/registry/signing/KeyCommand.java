package io.faasimage.registry.signing;

import io.faasimage.format.statement.VerifyingKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A private key that a command signs with, such as one of a key management service: the document is its standard input,
 * and it prints the signature in Base64. Thread-safe; one process for each signature.
 */
final class KeyCommand implements Signer {
    private static final int MOST_OUTPUT = 4096;

    private final List<String> command;
    private final VerifyingKeys publicKey;
    private final Duration limit;

    KeyCommand(List<String> command, VerifyingKeys publicKey, Duration limit) {
        this.command = List.copyOf(command);
        this.publicKey = publicKey;
        this.limit = limit;
    }

    @Override
    public VerifyingKeys publicKey() {
        return publicKey;
    }

    @Override
    public byte[] sign(byte[] document) throws IOException {
        Process process = new ProcessBuilder(command).start();
        try {
            CompletableFuture<String> printed = read(process.getInputStream());
            CompletableFuture<String> complaint = read(process.getErrorStream());
            CompletableFuture<Void> written =
                    CompletableFuture.runAsync(() -> write(process, document), KeyCommand::start);
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(name() + " did not end within " + limit.toSeconds() + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException(name() + " ended with " + process.exitValue() + ": "
                        + get(complaint).strip());
            }
            written.cancel(true);
            return Base64.getMimeDecoder().decode(get(printed));
        } catch (IllegalArgumentException e) {
            throw new IOException(name() + " printed what is not Base64: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + name() + " ran", e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** On a platform thread: a pipe that a child of the command keeps open would block a carrier of virtual threads. */
    private static void start(Runnable task) {
        Thread.ofPlatform().name("key-command").daemon().start(task);
    }

    private String name() {
        return "the signing command " + command.getFirst();
    }

    private static void write(Process process, byte[] document) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(document);
        } catch (IOException e) {
            // The command did not want all of it; its output and its end say how it went.
            return;
        }
    }

    private static CompletableFuture<String> read(InputStream stream) {
        Supplier<String> text = () -> {
            try (stream) {
                return new String(stream.readNBytes(MOST_OUTPUT), StandardCharsets.UTF_8);
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            }
        };
        return CompletableFuture.supplyAsync(text, KeyCommand::start);
    }

    /** A child of the command may keep its output open. */
    private String get(CompletableFuture<String> text) throws IOException, InterruptedException {
        try {
            return text.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the output of " + name() + " could not be read to its end", e);
        }
    }
}
