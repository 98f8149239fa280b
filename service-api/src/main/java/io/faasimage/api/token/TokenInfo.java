package io.faasimage.api.token;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A token as it is listed, without its secret: {@code GET /v1/tokens}.
 *
 * @param id names the token; a part of its text
 * @param name its purpose; several tokens may have the same
 * @param kind the way in which it was made
 * @param scopes its permissions; none for an enrolment
 * @param node the only node that it may report; null for a token of any node, or of none
 * @param created when
 * @param expires when it ends; null when it does not
 * @param used when it was last presented, to the minute; null when it was not
 * @param revoked when it was revoked; null when it was not
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TokenInfo(
        String id,
        String name,
        TokenKind kind,
        List<Scope> scopes,
        @Nullable String node,
        Instant created,
        @Nullable Instant expires,
        @Nullable Instant used,
        @Nullable Instant revoked) {
    public TokenInfo {
        scopes = List.copyOf(scopes);
    }

    /** Whether it is accepted at {@code now}. */
    public boolean valid(Instant now) {
        return revoked == null && (expires == null || now.isBefore(expires));
    }
}
