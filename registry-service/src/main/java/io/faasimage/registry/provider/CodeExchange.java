package io.faasimage.registry.provider;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.ParseException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The authorization code flow of a client with one issuer (OpenID Connect Core 1.0, section 3.1; PKCE, RFC 7636): the
 * address at which a person signs in, and the exchange of the code that comes back for an ID token. At most four
 * exchanges run at the same time. Thread-safe.
 */
public final class CodeExchange {
    private static final int AT_ONCE = 4;

    private final Provider provider;
    private final String client;
    private final @Nullable Path secret;
    private final String scopes;
    private final Semaphore exchanges = new Semaphore(AT_ONCE);

    /**
     * @param client its ID at the issuer
     * @param secret file with its secret, read for each exchange; a public client has none
     * @param scopes that are requested, separated by spaces
     */
    public CodeExchange(Provider provider, String client, @Nullable Path secret, String scopes) {
        this.provider = provider;
        this.client = client;
        this.secret = secret;
        this.scopes = scopes;
    }

    /**
     * The values that tie the parts of one sign-in together.
     *
     * @param state that the answer must repeat
     * @param nonce that the ID token must repeat
     * @param verifier whose hash the request has, and the exchange the text
     * @param redirect address of ours for the answer
     */
    public record Attempt(String state, String nonce, String verifier, URI redirect) {
        /** The secrets stay out of logs. */
        @Override
        public String toString() {
            return "sign-in answered at " + redirect;
        }
    }

    /** The address to which the person's browser is sent. */
    public URI address(Attempt attempt) throws ProviderException {
        URI endpoint = provider.document()
                .authorization()
                .orElseThrow(() -> new ProviderException(provider.issuer() + " names no authorization_endpoint"));
        String query = "response_type=code&client_id=" + Provider.encoded(client) + "&redirect_uri="
                + Provider.encoded(attempt.redirect().toString()) + "&scope=" + Provider.encoded(scopes) + "&state="
                + attempt.state() + "&nonce=" + attempt.nonce() + "&code_challenge=" + challenge(attempt.verifier())
                + "&code_challenge_method=S256";
        return URI.create(endpoint + (endpoint.getRawQuery() == null ? "?" : "&") + query);
    }

    private static String challenge(String verifier) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /**
     * The ID token for a code, not verified yet.
     *
     * @throws ProviderException when the issuer is away, or refuses the code or the client
     */
    public String redeem(String code, Attempt attempt) throws ProviderException {
        URI endpoint = provider.document()
                .token()
                .orElseThrow(() -> new ProviderException(provider.issuer() + " names no token_endpoint"));
        Optional<String> password = secret();
        String form = "grant_type=authorization_code&code=" + Provider.encoded(code) + "&redirect_uri="
                + Provider.encoded(attempt.redirect().toString()) + "&code_verifier=" + attempt.verifier()
                + (password.isPresent() ? "" : "&client_id=" + Provider.encoded(client));
        if (!exchanges.tryAcquire()) {
            throw new ProviderException("too many people sign in at the same time; try again");
        }
        try {
            return token(endpoint, provider.http().post(endpoint, form, password.map(this::authorization)));
        } finally {
            exchanges.release();
        }
    }

    private static String token(URI endpoint, HttpResponse<String> answer) throws ProviderException {
        try {
            Map<String, Object> members = JSONObjectUtils.parse(answer.body());
            if (answer.statusCode() != 200) {
                throw new ProviderException("POST " + endpoint + " answered " + answer.statusCode() + " "
                        + JSONObjectUtils.getString(members, "error"));
            }
            return Optional.ofNullable(JSONObjectUtils.getString(members, "id_token"))
                    .orElseThrow(() -> new ProviderException("POST " + endpoint + " answered without an id_token"));
        } catch (ParseException e) {
            throw new ProviderException("POST " + endpoint + " answered " + answer.statusCode() + " and no JSON", e);
        }
    }

    private Optional<String> secret() throws ProviderException {
        if (secret == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(secret).strip());
        } catch (IOException e) {
            throw new ProviderException("could not read the client's secret: " + e, e);
        }
    }

    /** RFC 6749, section 2.3.1: both are encoded as in a form first. */
    private String authorization(String password) {
        String pair = Provider.encoded(client) + ":" + Provider.encoded(password);
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    }
}
