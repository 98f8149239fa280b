package io.faasimage.node.image;

import io.faasimage.api.rest.Json;
import io.faasimage.node.image.RegistryLogin.IdentityToken;
import io.faasimage.node.image.RegistryLogin.Password;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A program that keeps logins for Docker, {@code docker-credential-<name>}. What it prints is a secret: of a helper
 * that fails, only the exit code is reported, since some print the request's secret with their complaint.
 *
 * @param command to run, without its verb
 * @param limit for one answer
 */
record CredentialHelper(List<String> command, Duration limit) {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int MAX_ANSWER_BYTES = 1 << 20;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    /** Docker's message of a helper that works and has nothing. */
    private static final String NOT_FOUND = "credentials not found";

    /** Copies the command. */
    CredentialHelper {
        command = List.copyOf(command);
    }

    /** The helper with this short name, which is found in {@code PATH}. */
    static CredentialHelper of(String name) throws IOException {
        if (!NAME.matcher(name).matches()) {
            throw new IOException("'" + name + "' in Docker's config.json is not the name of a credential helper");
        }
        return new CredentialHelper(List.of("docker-credential-" + name), LIMIT);
    }

    /** The login for {@code server}; empty when the helper has none. */
    Optional<RegistryLogin> get(String server) throws IOException {
        Process process = start();
        ask(process, server);
        return login(server, answer(process), process.exitValue());
    }

    private Process start() throws IOException {
        try {
            return new ProcessBuilder(List.of(command.getFirst(), "get"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new IOException(
                    "could not run the credential helper " + command.getFirst()
                            + ", which Docker's config.json names; put " + "it into the PATH of faasimage-node",
                    e);
        }
    }

    private static void ask(Process process, String server) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(server.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It has ended without reading; its exit code tells more.
            return;
        }
    }

    private byte[] answer(Process process) throws IOException {
        CompletableFuture<byte[]> reading = new CompletableFuture<>();
        Thread.ofVirtual().name("credential-helper").start(() -> {
            try (InputStream out = process.getInputStream()) {
                reading.complete(out.readNBytes(MAX_ANSWER_BYTES));
            } catch (IOException e) {
                reading.completeExceptionally(e);
            }
        });
        try {
            byte[] bytes = reading.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new TimeoutException();
            }
            return bytes;
        } catch (TimeoutException e) {
            throw new IOException(name() + " did not answer in " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException("could not read the answer of " + name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + name() + " was asked");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Optional<RegistryLogin> login(String server, byte[] answer, int exit) throws IOException {
        if (exit != 0) {
            if (new String(answer, StandardCharsets.UTF_8).contains(NOT_FOUND)) {
                return Optional.empty();
            }
            throw new IOException(name() + " ended with " + exit + " when asked for " + server + "; try: echo " + server
                    + " | " + name() + " get");
        }
        JsonNode json;
        try {
            json = Json.mapper().readTree(answer);
        } catch (JacksonException e) {
            // The parser's own message would quote the secret.
            throw new IOException(name() + " did not answer with JSON when asked for " + server);
        }
        String user = json.path("Username").asString("");
        String secret = json.path("Secret").asString("");
        if (secret.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(user.equals("<token>") ? new IdentityToken(secret) : new Password(user, secret));
    }

    private String name() {
        return command.getFirst();
    }
}
