package io.faasimage.oci;

import io.faasimage.api.process.ProgramEnd;
import io.faasimage.api.rest.Json;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.RegistryLogins.Login;
import java.io.IOException;
import java.io.InterruptedIOException;
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
            throw new OciException(
                    Kind.UNAUTHORIZED, "'" + name + "' in Docker's config.json is not the name of a credential helper");
        }
        return new CredentialHelper(List.of("docker-credential-" + name), LIMIT);
    }

    /** The login for {@code server}; empty when the helper has none. */
    Optional<Login> get(String server) throws IOException {
        Process process = start();
        try {
            ProgramEnd end = ProgramEnd.await(name(), process, server.getBytes(StandardCharsets.UTF_8), limit);
            return login(server, end.output(), end.exit());
        } catch (OciException | InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            throw new OciException(Kind.UNAUTHORIZED, String.valueOf(e.getMessage()), e);
        }
    }

    private Process start() throws IOException {
        try {
            return new ProcessBuilder(List.of(command.getFirst(), "get"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new OciException(
                    Kind.UNAUTHORIZED,
                    "could not run the credential helper " + command.getFirst()
                            + ", which Docker's config.json names; put it into the PATH of this service",
                    e);
        }
    }

    private Optional<Login> login(String server, String answer, int exit) throws IOException {
        if (exit != 0) {
            if (answer.contains(NOT_FOUND)) {
                return Optional.empty();
            }
            throw new OciException(
                    Kind.UNAUTHORIZED,
                    name() + " ended with " + exit + " when asked for " + server + "; try: echo " + server + " | "
                            + name() + " get");
        }
        JsonNode json;
        try {
            json = Json.mapper().readTree(answer);
        } catch (JacksonException e) {
            // The parser's own message would quote the secret.
            throw new OciException(Kind.UNAUTHORIZED, name() + " did not answer with JSON when asked for " + server);
        }
        String user = json.path("Username").asString("");
        String secret = json.path("Secret").asString("");
        if (secret.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Login(user, secret));
    }

    private String name() {
        return command.getFirst();
    }
}
