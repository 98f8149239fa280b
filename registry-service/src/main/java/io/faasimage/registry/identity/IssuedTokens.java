package io.faasimage.registry.identity;

import io.faasimage.registry.provider.SignedTokens;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The tokens that others issue for the service: each is verified by the issuer that it names. Thread-safe. */
@Component
class IssuedTokens {
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
        return SignedTokens.claimedIssuer(text)
                .flatMap(claimed ->
                        issuers.stream().filter(issuer -> issuer.isOf(claimed)).findFirst());
    }
}
