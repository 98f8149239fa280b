package io.faasimage.registry.access.identity;

import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenKind;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.problem.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** The creation, list and end of tokens. Thread-safe. */
@Service
public class Tokens {
    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
    private static final Duration ENROLMENT = Duration.ofHours(1);

    /** The time for which tokens that have ended are listed. */
    private static final Duration KEPT = Duration.ofDays(30);

    private final TokenTable table;
    private final RecentTokens recent;
    private final AuditLog audit;
    private final TransactionOperations transaction;
    private final Clock clock;

    Tokens(TokenTable table, RecentTokens recent, AuditLog audit, TransactionOperations transaction, Clock clock) {
        this.table = table;
        this.recent = recent;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** Creates a token for {@code creator}; its text cannot be shown again. */
    public NewToken create(TokenRequest request, Identity creator) {
        TokenText text = TokenText.create();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        @Nullable Duration life = life(request);
        TokenRow row = TokenRow.create(
                text.id(),
                text.hash(),
                request.enrol() ? TokenKind.ENROLMENT : TokenKind.TOKEN,
                request.name(),
                request.scopes(),
                request.enrol() ? request.name() : request.node(),
                now,
                life == null ? null : now.plus(life));
        transaction.executeWithoutResult(_ -> {
            table.insert(row);
            audit.add(AuditAction.TOKEN_CREATE, row.id(), null, row.info());
        });
        LOG.info("{} was created by {}, scopes {}", row.identity().name(), creator.name(), request.scopes());
        return new NewToken(text.text(), row.info());
    }

    private static @Nullable Duration life(TokenRequest request) {
        if (request.expiresIn() != null) {
            return Duration.ofSeconds(request.expiresIn());
        }
        return request.enrol() ? ENROLMENT : null;
    }

    /** All tokens, newest first, with those that ended of late. */
    public List<TokenInfo> all() {
        return table.all().stream().map(TokenRow::info).toList();
    }

    /**
     * Ends a token, at this service at once, at others within three seconds. With an identity of a node end all others
     * of that node, too: it may just have renewed the one that was listed.
     */
    public void revoke(String id, Identity revoker) {
        TokenRow row = table.find(id)
                .orElseThrow(() -> ProblemException.notFound(
                        "there is no token with the ID '" + id + "'; GET /v1/tokens lists all"));
        int ended = Objects.requireNonNull(transaction.execute(_ -> revoke(row)));
        recent.clear();
        if (ended > 0) {
            LOG.info("{} was revoked by {}", row.identity().name(), revoker.name());
        }
    }

    private int revoke(TokenRow row) {
        Instant now = clock.instant();
        int ended = 0;
        @Nullable String node = row.info().node();
        if (row.info().kind() != TokenKind.NODE || node == null) {
            ended = table.revoke(row.id(), now);
        } else {
            // A renewal that was under way may have added one that the statement did not see.
            int more;
            do {
                more = table.revokeNode(node, now);
                ended += more;
            } while (more > 0);
        }
        audit.add(AuditAction.TOKEN_REVOKE, row.id(), row.info(), Map.of("revoked", now, "tokens", ended));
        return ended;
    }

    /** Removes tokens that ended long ago. */
    public void age() {
        table.forget(clock.instant().minus(KEPT));
    }
}
