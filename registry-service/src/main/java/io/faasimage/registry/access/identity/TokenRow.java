package io.faasimage.registry.access.identity;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenKind;
import io.faasimage.format.id.Digest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token as the database has it.
 *
 * @param info the part that may be listed
 * @param hash of the secret
 * @param successor the identity that it was exchanged for
 */
record TokenRow(TokenInfo info, Digest hash, Optional<String> successor) {
    static TokenRow create(
            String id,
            Digest hash,
            TokenKind kind,
            String name,
            List<Scope> scopes,
            @Nullable String node,
            Instant created,
            @Nullable Instant expires) {
        TokenInfo info = new TokenInfo(id, name, kind, scopes, node, created, expires, null, null);
        return new TokenRow(info, hash, Optional.empty());
    }

    String id() {
        return info.id();
    }

    Identity identity() {
        return new Identity(
                info.id(),
                "token fsi_" + info.id() + " (" + info.name() + ")",
                info.kind(),
                Set.copyOf(info.scopes()),
                Optional.ofNullable(info.node()));
    }
}
