package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.api.rest.Json;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.RegistryLogins.Login;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
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
final class Authorizations {
    private static final int MAX_TOKEN_BYTES = 1 << 20;
    private static final Pattern PARAMETER = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

    private final RegistryLogins logins;
    private final OciHttp http;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    Authorizations(RegistryLogins logins, OciHttp http) {
        this.logins = logins;
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
        Optional<Login> login = logins.find(reference);
        String made = challenge.regionMatches(true, 0, "Bearer ", 0, 7)
                ? "Bearer " + token(reference, parameters(challenge), login)
                : basic(reference, login);
        known.put(scope(reference), made);
        return made;
    }

    private static String basic(ImageReference reference, Optional<Login> login) throws OciException {
        if (login.isPresent() && !login.get().isIdentityToken()) {
            return login.get().basic();
        }
        String found = login.isEmpty() ? "there is none" : "there is only an identity token";
        throw new OciException(Kind.UNAUTHORIZED, reference.registry() + " wants a user and a password, and " + found);
    }

    private static Map<String, String> parameters(String challenge) {
        Map<String, String> parameters = new HashMap<>();
        Matcher matcher = PARAMETER.matcher(challenge);
        while (matcher.find()) {
            parameters.put(matcher.group(1), matcher.group(2));
        }
        return parameters;
    }

    private String token(ImageReference reference, Map<String, String> asked, Optional<Login> login)
            throws IOException {
        URI realm = realm(reference, asked.getOrDefault("realm", ""));
        String query = "service=" + encoded(asked.getOrDefault("service", "")) + "&scope="
                + encoded(asked.getOrDefault("scope", "repository:" + reference.repository() + ":pull"));
        if (login.isPresent() && login.get().isIdentityToken()) {
            String form = "grant_type=refresh_token&client_id=faasimage&" + query + "&refresh_token="
                    + encoded(login.get().password());
            return token(realm, http.post(reference, realm, form));
        }
        String separator = realm.getRawQuery() == null ? "?" : "&";
        Map<String, String> headers = new HashMap<>(Map.of("Accept", "application/json"));
        login.ifPresent(found -> headers.put(OciHttp.AUTHORIZATION, found.basic()));
        return token(realm, http.get(reference, URI.create(realm + separator + query), headers));
    }

    /** The messages do not say what the registry names: it may be any host. */
    private URI realm(ImageReference reference, String text) throws OciException {
        try {
            URI realm = URI.create(text);
            boolean plain = "http".equals(realm.getScheme()) && http.isPlain(reference);
            if (realm.getHost() != null && (plain || "https".equals(realm.getScheme()))) {
                return realm;
            }
        } catch (IllegalArgumentException e) {
            throw new OciException(Kind.INVALID, reference.registry() + " names a token service that is not a URL", e);
        }
        throw new OciException(
                Kind.INVALID,
                reference.registry() + " names a token service to which no login is sent because it is not HTTPS");
    }

    private static String token(URI realm, Answer answer) throws IOException {
        String problem;
        try (InputStream body = answer.body()) {
            JsonNode json = Json.mapper().readTree(body.readNBytes(MAX_TOKEN_BYTES));
            String token = json.path("token").asString(json.path("access_token").asString(""));
            if (answer.status() == 200 && !token.isEmpty()) {
                return token;
            }
            problem = "answered " + answer.status();
        } catch (JacksonException e) {
            // The parser's own message would quote the token.
            problem = "answered " + answer.status() + " and no JSON";
        }
        throw new OciException(Kind.UNAUTHORIZED, "no token, " + realm.getAuthority() + " " + problem);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
