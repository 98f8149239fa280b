package io.faasimage.registry.access.identity;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenKind;
import io.faasimage.format.id.Digest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The tokens in the database. Thread-safe. */
@Repository
class TokenTable {
    private final JdbcClient jdbc;

    TokenTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(TokenRow row) {
        TokenInfo info = row.info();
        jdbc.sql("INSERT INTO tokens (id, name, kind, hash, scopes, node, created, expires)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                .param(info.id())
                .param(info.name())
                .param(info.kind().name())
                .param(row.hash().bytes())
                .param(info.scopes().stream().map(Scope::label).collect(Collectors.joining(",")))
                .param(info.node())
                .param(time(info.created()))
                .param(info.expires() == null ? null : time(info.expires()))
                .update();
    }

    Optional<TokenRow> find(String id) {
        return jdbc.sql("SELECT * FROM tokens WHERE id = ?")
                .param(id)
                .query(TokenTable::row)
                .optional();
    }

    /**
     * Variant of {@link #find} with a lock: no other transaction exchanges or revokes the token before this one ends.
     */
    Optional<TokenRow> lock(String id) {
        return jdbc.sql("SELECT * FROM tokens WHERE id = ? FOR UPDATE")
                .param(id)
                .query(TokenTable::row)
                .optional();
    }

    /** The identity of a node with this hash of its secret. */
    Optional<TokenRow> findNode(String node, Digest hash) {
        return jdbc.sql("SELECT * FROM tokens WHERE node = ? AND kind = ? AND hash = ?"
                        + " ORDER BY created DESC FETCH FIRST 1 ROW ONLY")
                .param(node)
                .param(TokenKind.NODE.name())
                .param(hash.bytes())
                .query(TokenTable::row)
                .optional();
    }

    /** All tokens, newest first. */
    List<TokenRow> all() {
        return jdbc.sql("SELECT * FROM tokens ORDER BY created DESC, id")
                .query(TokenTable::row)
                .list();
    }

    int revoke(String id, Instant now) {
        return jdbc.sql("UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL")
                .params(time(now), id)
                .update();
    }

    /** Revokes the identities of a node that are there when the statement begins. */
    int revokeNode(String node, Instant now) {
        return jdbc.sql("UPDATE tokens SET revoked = ? WHERE node = ? AND kind = ? AND revoked IS NULL")
                .params(time(now), node, TokenKind.NODE.name())
                .update();
    }

    /** Revokes the identities of a node that are older than the one with this ID. */
    void revokeOlder(String id, Instant now) {
        jdbc.sql("UPDATE tokens SET revoked = ? WHERE kind = ? AND revoked IS NULL AND id <> ?"
                        + " AND node = (SELECT node FROM tokens WHERE id = ?)"
                        + " AND created <= (SELECT created FROM tokens WHERE id = ?)")
                .params(time(now), TokenKind.NODE.name(), id, id, id)
                .update();
    }

    void succeed(String id, String successor) {
        jdbc.sql("UPDATE tokens SET successor = ? WHERE id = ?")
                .params(successor, id)
                .update();
    }

    /** Lets a token end at {@code end} if it would not end before. */
    void shorten(String id, Instant end) {
        jdbc.sql("UPDATE tokens SET expires = ? WHERE id = ? AND expires > ?")
                .params(time(end), id, time(end))
                .update();
    }

    /** Records a use; whether it is the first of a node's identity. */
    boolean use(String id, Instant now) {
        boolean first = jdbc.sql("UPDATE tokens SET used = ? WHERE id = ? AND used IS NULL AND kind = ?")
                        .params(time(now), id, TokenKind.NODE.name())
                        .update()
                == 1;
        if (!first) {
            jdbc.sql("UPDATE tokens SET used = ? WHERE id = ? AND (used IS NULL OR used < ?)")
                    .params(time(now), id, time(now.minus(TokenUses.PAUSE.dividedBy(2))))
                    .update();
        }
        return first;
    }

    /** Removes tokens that ended before {@code end}. */
    int forget(Instant end) {
        return jdbc.sql("DELETE FROM tokens WHERE expires < ? OR revoked < ?")
                .params(time(end), time(end))
                .update();
    }

    private static TokenRow row(ResultSet row, int number) throws SQLException {
        String scopes = row.getString("scopes");
        TokenInfo info = new TokenInfo(
                row.getString("id"),
                row.getString("name"),
                TokenKind.valueOf(row.getString("kind")),
                scopes.isEmpty()
                        ? List.of()
                        : Arrays.stream(scopes.split(",")).map(Scope::parse).toList(),
                row.getString("node"),
                Objects.requireNonNull(moment(row, "created")),
                moment(row, "expires"),
                moment(row, "used"),
                moment(row, "revoked"));
        return new TokenRow(
                info, Digest.ofBytes(row.getBytes("hash")), Optional.ofNullable(row.getString("successor")));
    }

    private static @Nullable Instant moment(ResultSet row, String column) throws SQLException {
        @Nullable OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
