package io.faasimage.registry.access.identity;

import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** The tokens that others issue for the service: each is verified by the issuer that it names. Thread-safe. */
@Component
class IssuedTokens {
    private static final int LONGEST = 16 * 1024;
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*");

    private final List<TokenIssuer> issuers;

    IssuedTokens(List<TokenIssuer> issuers) {
        this.issuers = List.copyOf(issuers);
    }

    /** Verifies a token of one of the issuers; empty when it names none of them. */
    Optional<TokenCheck> check(String text) {
        return issuer(text).map(issuer -> issuer.check(text));
    }

    /** Whether the text names one of the issuers. */
    boolean isNamedBy(String text) {
        return issuer(text).isPresent();
    }

    private Optional<TokenIssuer> issuer(String text) {
        if (text.length() > LONGEST || !FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            String claimed = SignedJWT.parse(text).getJWTClaimsSet().getIssuer();
            return issuers.stream()
                    .filter(issuer -> claimed != null && issuer.isOf(claimed))
                    .findFirst();
        } catch (ParseException e) {
            return Optional.empty();
        }
    }
}
