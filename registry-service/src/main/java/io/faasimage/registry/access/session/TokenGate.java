package io.faasimage.registry.access.session;

import io.faasimage.registry.access.identity.TokenCheck;
import io.faasimage.registry.access.identity.TokenVerifier;
import java.time.Duration;
import org.springframework.stereotype.Component;

/**
 * The one place where callers present tokens, to the API or to sign in. An address that tries several wrong ones has to
 * wait ({@link SignInLimit}). Others behind that address need not: a right token that cannot be guessed is accepted,
 * and so is one that this address has presented before. Thread-safe.
 */
@Component
public class TokenGate {
    private final TokenVerifier verifier;
    private final SignInLimit limit;

    TokenGate(TokenVerifier verifier, SignInLimit limit) {
        this.verifier = verifier;
        this.limit = limit;
    }

    /** Verifies a token that came from an address, and counts it there when it is wrong. */
    public TokenCheck present(String address, String text) {
        Duration wait = limit.wait(address);
        boolean anyToken = wait.isZero()
                || verifier.claimed(text)
                        .filter(id -> limit.isProven(address, id))
                        .isPresent();
        TokenCheck check = anyToken ? verifier.check(text) : verifier.checkUnguessable(text);
        if (check instanceof TokenCheck.Accepted accepted) {
            limit.prove(address, accepted.identity());
        } else if (check instanceof TokenCheck.Unknown) {
            if (!wait.isZero()) {
                return new TokenCheck.MustWait(wait);
            }
            limit.failed(address, text);
        }
        return check;
    }
}
