package io.faasimage.node.image;

import io.faasimage.api.process.ProgramEnd;
import io.faasimage.api.rest.Json;
import io.faasimage.node.image.RegistryLogin.IdentityToken;
import io.faasimage.node.image.RegistryLogin.Password;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A program that keeps logins for Docker, {@code docker-credential-<name>}. Its output is secret: of a failed helper
 * only the exit code is reported, since some print the request's secret with their complaint.
 *
 * @param command to run, without its verb
 * @param limit for one answer
 */
record CredentialHelper(List<String> command, Duration limit) {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    /** Docker's message of a helper that works and has nothing. */
    private static final String NOT_FOUND = "credentials not found";

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
        ProgramEnd end = ProgramEnd.await(name(), process, server.getBytes(StandardCharsets.UTF_8), limit);
        return login(server, end.output(), end.exit());
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

    private Optional<RegistryLogin> login(String server, String answer, int exit) throws IOException {
        if (exit != 0) {
            if (answer.contains(NOT_FOUND)) {
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
