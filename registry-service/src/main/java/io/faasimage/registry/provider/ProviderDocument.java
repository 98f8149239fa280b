package io.faasimage.registry.provider;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.net.URI;
import java.text.ParseException;
import java.util.Map;
import java.util.Optional;

/**
 * The metadata of an issuer (OpenID Connect Discovery 1.0, section 3).
 *
 * @param keys address of its key set
 * @param authorization address at which people sign in
 * @param token address that exchanges codes for tokens
 */
record ProviderDocument(URI keys, Optional<URI> authorization, Optional<URI> token) {
    /** @throws ProviderException when the text is none, or is another issuer's */
    static ProviderDocument parse(String issuer, String text) throws ProviderException {
        try {
            Map<String, Object> members = JSONObjectUtils.parse(text);
            String named = JSONObjectUtils.getString(members, "issuer");
            if (!issuer.equals(named)) {
                throw new ProviderException(
                        "the discovery document of " + issuer + " is that of '" + named + "'; set exactly its issuer");
            }
            return new ProviderDocument(
                    address(members, "jwks_uri")
                            .orElseThrow(() ->
                                    new ProviderException("the discovery document of " + issuer + " has no jwks_uri")),
                    address(members, "authorization_endpoint"),
                    address(members, "token_endpoint"));
        } catch (ParseException | IllegalArgumentException e) {
            throw new ProviderException(
                    "the discovery document of " + issuer + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Optional<URI> address(Map<String, Object> members, String name) throws ParseException {
        return Optional.ofNullable(JSONObjectUtils.getString(members, name)).map(ProviderAddress::parse);
    }
}
