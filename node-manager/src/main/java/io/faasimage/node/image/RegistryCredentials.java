package io.faasimage.node.image;

import io.faasimage.api.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Logins of OCI registries as {@code docker login} stores them in {@code config.json}; credential helpers are not run. */
public final class RegistryCredentials {
    private static final String DOCKER_HUB = "https://index.docker.io/v1/";

    private final Path file;

    /** Reads {@code file} at each question, so that a new login counts at once. */
    public RegistryCredentials(Path file) {
        this.file = file;
    }

    /** The Basic token (base64 of user and password) for a registry host. */
    Optional<String> basic(String host) throws IOException {
        try {
            JsonNode auths = Json.mapper().readTree(Files.readAllBytes(file)).path("auths");
            for (String key : keys(host)) {
                String token = auths.path(key).path("auth").asString("");
                if (!token.isEmpty()) {
                    return Optional.of(checked(token));
                }
            }
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (JacksonException e) {
            throw new IOException(file + " is not the JSON that docker login writes", e);
        }
    }

    private static List<String> keys(String host) {
        List<String> own = List.of(host, "https://" + host, "https://" + host + "/v1/");
        return host.equals("docker.io")
                ? Stream.concat(Stream.of(DOCKER_HUB), own.stream()).toList()
                : own;
    }

    private String checked(String token) throws IOException {
        try {
            if (new String(Base64.getDecoder().decode(token), StandardCharsets.UTF_8).contains(":")) {
                return token;
            }
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " has a login that is not base64", e);
        }
        throw new IOException(file + " has a login without a password");
    }
}
