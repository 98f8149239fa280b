package io.faasimage.node.image;

import io.faasimage.api.rest.Json;
import io.faasimage.format.id.ImageReference;
import io.faasimage.node.image.RegistryLogin.IdentityToken;
import io.faasimage.node.image.RegistryLogin.Password;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * {@code Authorization} headers of repositories, made as their registries' challenges require. Thread-safe; two threads
 * may make the same one twice.
 *
 * @see <a href="https://distribution.github.io/distribution/spec/auth/token/">token authentication</a>
 */
final class RegistryAuthorizations {
    private static final int MAX_TOKEN_BYTES = 1 << 20;
    private static final Pattern PARAMETER = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

    private final RegistryCredentials credentials;
    private final RegistryHttp http;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    RegistryAuthorizations(RegistryCredentials credentials, RegistryHttp http) {
        this.credentials = credentials;
        this.http = http;
    }

    private static String scope(ImageReference reference) {
        return reference.registry() + "/" + reference.repository();
    }

    /** The authorization that the repository accepted before. */
    @Nullable
    String known(ImageReference reference) {
        return known.get(scope(reference));
    }

    /**
     * Makes a new one, from a login that is read anew; {@code challenge} is the registry's {@code WWW-Authenticate}.
     */
    String renew(ImageReference reference, String challenge) throws IOException {
        known.remove(scope(reference));
        Optional<RegistryLogin> login = credentials.login(reference.registry());
        String made = challenge.regionMatches(true, 0, "Bearer ", 0, 7)
                ? "Bearer " + token(reference, parameters(challenge), login)
                : basic(reference, login);
        known.put(scope(reference), made);
        return made;
    }

    private static String basic(ImageReference reference, Optional<RegistryLogin> login) throws IOException {
        if (login.isPresent() && login.get() instanceof Password password) {
            return password.basic();
        }
        String found = login.isEmpty() ? "there is none" : "there is only an identity token";
        throw new IOException(
                reference.registry() + " wants a user and a password, and " + found + "; " + remedy(reference));
    }

    /** The remedy for a refused login. */
    static String remedy(ImageReference reference) {
        return "log in with `docker login " + reference.registry()
                + "` as the user of faasimage-node, or give it the directory of "
                + "the right config.json as DOCKER_CONFIG";
    }

    private static Map<String, String> parameters(String challenge) {
        Map<String, String> parameters = new HashMap<>();
        Matcher matcher = PARAMETER.matcher(challenge);
        while (matcher.find()) {
            parameters.put(matcher.group(1), matcher.group(2));
        }
        return parameters;
    }

    private String token(ImageReference reference, Map<String, String> asked, Optional<RegistryLogin> login)
            throws IOException {
        URI realm = realm(reference, asked.getOrDefault("realm", ""));
        String query = "service=" + encoded(asked.getOrDefault("service", "")) + "&scope="
                + encoded(asked.getOrDefault("scope", "repository:" + reference.repository() + ":pull"));
        HttpResponse<InputStream> answer;
        if (login.isPresent() && login.get() instanceof IdentityToken identity) {
            answer = http.post(
                    realm,
                    "grant_type=refresh_token&client_id=faasimage&" + query + "&refresh_token="
                            + encoded(identity.token()));
        } else {
            String separator = realm.getRawQuery() == null ? "?" : "&";
            answer = http.get(
                    URI.create(realm + separator + query),
                    "application/json",
                    login.isPresent() && login.get() instanceof Password password ? password.basic() : null);
        }
        return token(reference, realm, answer);
    }

    private URI realm(ImageReference reference, String text) throws IOException {
        try {
            URI realm = URI.create(text);
            boolean plain = "http".equals(realm.getScheme()) && http.isPlain(reference);
            if (realm.getHost() != null && (plain || "https".equals(realm.getScheme()))) {
                return realm;
            }
        } catch (IllegalArgumentException e) {
            throw new IOException(reference.registry() + " names a token server that is not a URL: '" + text + "'", e);
        }
        throw new IOException(reference.registry() + " names the token server '" + text
                + "', to which no login is sent because it is not HTTPS");
    }

    private static String token(ImageReference reference, URI realm, HttpResponse<InputStream> answer)
            throws IOException {
        String problem;
        try (InputStream body = answer.body()) {
            JsonNode json = Json.mapper().readTree(body.readNBytes(MAX_TOKEN_BYTES));
            String token = json.path("token").asString(json.path("access_token").asString(""));
            if (answer.statusCode() == 200 && !token.isEmpty()) {
                return token;
            }
            problem = "answered " + answer.statusCode();
        } catch (JacksonException e) {
            // The parser's own message would quote the token.
            problem = "answered " + answer.statusCode() + " and no JSON";
        }
        throw new IOException(
                "no token for " + reference + ": " + realm.getAuthority() + " " + problem + "; " + remedy(reference));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
