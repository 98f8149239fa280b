package io.faasimage.oci;

import io.faasimage.api.rest.Json;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Logins of OCI registries as {@code docker login} keeps them: in {@code config.json} itself, or with a credential
 * helper that is named there. The registry's own helper ({@code credHelpers}) comes first, then the general one ({@code
 * credsStore}), then the file.
 */
public final class DockerLogins implements RegistryLogins {
    private static final String DOCKER_HUB = "https://index.docker.io/v1/";

    private final Path file;

    /** Reads {@code file} at each look-up, so that a new login counts at once. */
    public DockerLogins(Path file) {
        this.file = file;
    }

    /** Those of the file that Docker's own commands read: in the directory {@code DOCKER_CONFIG}, else in the home. */
    public static DockerLogins ofUser() {
        @Nullable String directory = System.getenv("DOCKER_CONFIG");
        return new DockerLogins(
                directory == null
                        ? Path.of(System.getProperty("user.home", "/root"), ".docker", "config.json")
                        : Path.of(directory, "config.json"));
    }

    @Override
    public Optional<Login> find(ImageReference reference) throws IOException {
        String host = reference.registry();
        JsonNode config;
        try {
            config = Json.mapper().readTree(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new OciException(
                    Kind.UNAUTHORIZED, file + " cannot be read: " + e.getClass().getSimpleName(), e);
        } catch (JacksonException e) {
            // The parser's own message would quote the file.
            throw new OciException(Kind.UNAUTHORIZED, file + " is not the JSON that docker login writes");
        }
        Optional<Login> helped = fromHelper(config, host);
        return helped.isPresent() ? helped : stored(config, host);
    }

    private static Optional<Login> fromHelper(JsonNode config, String host) throws IOException {
        List<String> keys = keys(host);
        for (String key : keys) {
            String own = config.path("credHelpers").path(key).asString("");
            if (!own.isEmpty()) {
                return CredentialHelper.of(own).get(key);
            }
        }
        String general = config.path("credsStore").asString("");
        return general.isEmpty()
                ? Optional.empty()
                : CredentialHelper.of(general).get(keys.getFirst());
    }

    private Optional<Login> stored(JsonNode config, String host) throws IOException {
        for (String key : keys(host)) {
            JsonNode entry = config.path("auths").path(key);
            String identity = entry.path("identitytoken").asString("");
            if (!identity.isEmpty()) {
                return Optional.of(Login.ofIdentityToken(identity));
            }
            String pair = entry.path("auth").asString("");
            if (!pair.isEmpty()) {
                return Optional.of(password(pair));
            }
        }
        return Optional.empty();
    }

    private static List<String> keys(String host) {
        List<String> own = List.of(host, "https://" + host, "https://" + host + "/v1/");
        return host.equals("docker.io")
                ? Stream.concat(Stream.of(DOCKER_HUB), own.stream()).toList()
                : own;
    }

    private Login password(String base64) throws IOException {
        String pair;
        try {
            pair = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // Its message would quote the login.
            throw new OciException(Kind.UNAUTHORIZED, file + " has a login that is not base64");
        }
        int colon = pair.indexOf(':');
        if (colon < 0) {
            throw new OciException(Kind.UNAUTHORIZED, file + " has a login without a password");
        }
        return new Login(pair.substring(0, colon), pair.substring(colon + 1));
    }
}
