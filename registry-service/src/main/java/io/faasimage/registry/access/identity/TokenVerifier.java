package io.faasimage.registry.access.identity;

import io.faasimage.api.token.TokenInfo;
import io.faasimage.registry.platform.config.AccessToken;
import io.faasimage.registry.platform.config.Role;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** The verification of tokens: those of the settings, of the table, and of issuers outside. Thread-safe. */
@Component
public class TokenVerifier {
    private static final int LOOKUPS = 2;
    private static final Duration TURN = Duration.ofSeconds(5);

    private final AccessToken configured;
    private final RecentTokens tokens;
    private final TokenUses uses;
    private final IssuedTokens issued;
    private final Clock clock;
    /** Fair: no client overtakes a node by trying faster. */
    private final Semaphore lookups = new Semaphore(LOOKUPS, true);

    TokenVerifier(AccessToken configured, RecentTokens tokens, TokenUses uses, IssuedTokens issued, Clock clock) {
        this.configured = configured;
        this.issued = issued;
        this.tokens = tokens;
        this.uses = uses;
        this.clock = clock;
    }

    /**
     * The ID of the token that the text is, if it is right: for a question that may not cost a query of the database.
     */
    public Optional<String> claimed(String text) {
        return ofSettings(text).map(Identity::id).or(() -> TokenText.parse(text).map(TokenText::id));
    }

    /** Verifies a token that a client presents. */
    public TokenCheck check(String text) {
        Optional<Identity> known = ofSettings(text);
        if (known.isPresent()) {
            return new TokenCheck.Accepted(known.get());
        }
        Optional<TokenText> parsed = TokenText.parse(text);
        if (parsed.isEmpty()) {
            return issued.check(text).orElseGet(TokenCheck.Unknown::new);
        }
        Optional<TokenRow> row =
                parsed.flatMap(token -> tokens.find(token.id()).filter(found -> isSecretOf(token, found)));
        return row.map(this::check).orElseGet(TokenCheck.Unknown::new);
    }

    /**
     * Variant of {@link #check} for an address that has tried wrong tokens: only tokens that cannot be guessed are
     * accepted, so that the attempts of others at this address do not count. Those of the table have 256 random bits,
     * those of issuers a signature. Verifying them takes a few of the database's connections and processors at most,
     * however many are tried.
     */
    public TokenCheck checkUnguessable(String text) {
        Optional<Identity> known = ofSettings(text);
        if (known.isPresent()) {
            return configured.isUnguessable(text) ? new TokenCheck.Accepted(known.get()) : new TokenCheck.Unknown();
        }
        if ((TokenText.parse(text).isEmpty() && !issued.isNamedBy(text)) || !isTurn()) {
            return new TokenCheck.Unknown();
        }
        try {
            return check(text);
        } finally {
            lookups.release();
        }
    }

    private boolean isTurn() {
        try {
            return lookups.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean isSecretOf(TokenText token, TokenRow row) {
        return MessageDigest.isEqual(token.hash().bytes(), row.hash().bytes());
    }

    /** Verifies a token that was verified before, by its ID. */
    public TokenCheck recheck(String id) {
        return tokens.find(id).map(this::check).orElseGet(TokenCheck.Unknown::new);
    }

    private TokenCheck check(TokenRow row) {
        TokenInfo info = row.info();
        Instant now = clock.instant();
        if (info.valid(now)) {
            uses.note(row.id());
            return new TokenCheck.Accepted(row.identity());
        }
        String name = row.identity().name();
        return new TokenCheck.Refused(
                row.identity(),
                info.revoked() == null
                        ? name + " has expired on " + info.expires()
                        : name + " was revoked on " + info.revoked());
    }

    private Optional<Identity> ofSettings(String text) {
        return configured.role(text).map(TokenVerifier::identity);
    }

    private static Identity identity(Role role) {
        return switch (role) {
            case ADMIN -> Identity.ADMINISTRATOR;
            case VIEWER -> Identity.VIEWER;
        };
    }
}
