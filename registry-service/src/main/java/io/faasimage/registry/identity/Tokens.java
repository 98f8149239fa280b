package io.faasimage.registry.identity;

import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenKind;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.registry.problem.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** The creation, list and end of tokens. Thread-safe. */
@Service
public class Tokens {
    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
    private static final Duration ENROLMENT = Duration.ofHours(1);

    /** How long tokens that have ended are listed. */
    private static final Duration KEPT = Duration.ofDays(30);

    private final TokenTable table;
    private final RecentTokens recent;
    private final Clock clock;

    Tokens(TokenTable table, RecentTokens recent, Clock clock) {
        this.table = table;
        this.recent = recent;
        this.clock = clock;
    }

    /** Creates a token for {@code creator}; nobody can show its text again. */
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
        table.insert(row);
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
        Instant now = clock.instant();
        int ended = table.revoke(id, now);
        if (row.info().kind() == TokenKind.NODE && row.info().node() != null) {
            // A renewal that was under way may have added one that the statement did not see.
            int more;
            do {
                more = table.revokeNode(row.info().node(), now);
                ended += more;
            } while (more > 0);
        }
        recent.clear();
        if (ended > 0) {
            LOG.info("{} was revoked by {}", row.identity().name(), revoker.name());
        }
    }

    /** Forgets tokens that ended long ago. */
    public void age() {
        table.forget(clock.instant().minus(KEPT));
    }
}
