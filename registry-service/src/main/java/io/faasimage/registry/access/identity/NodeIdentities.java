package io.faasimage.registry.access.identity;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenKind;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.config.TokenSettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The identities of nodes: made in exchange for an enrolment token or the token of a service account that may enrol
 * nodes, and renewed in exchange for themselves. The node makes the secret and sends its hash. The same token and hash
 * get the same identity, so a node whose answer was lost requests one again. An identity stays valid after its renewal
 * until the new one is used ({@link TokenUses}). Thread-safe.
 */
@Service
public class NodeIdentities {
    private static final Logger LOG = LoggerFactory.getLogger(NodeIdentities.class);

    /** The time for which an exchanged enrolment still gets the answer that it got. */
    private static final Duration REPEATS = Duration.ofMinutes(5);

    private final TokenTable table;
    private final TokenSettings settings;
    private final AuditLog audit;
    private final TransactionOperations transaction;
    private final Clock clock;

    NodeIdentities(
            TokenTable table, TokenSettings settings, AuditLog audit, TransactionOperations transaction, Clock clock) {
        this.table = table;
        this.settings = settings;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** Exchanges an enrolment token, once, or a node's identity for an identity of the same node. */
    public TokenInfo exchange(Identity caller, String node, Digest hash) {
        return Objects.requireNonNull(transaction.execute(status -> exchangeLocked(caller, node, hash)));
    }

    /** The enrolment of a service account has no row: its token may be exchanged until it expires. */
    private TokenInfo enrolAccount(Identity account, String node, Digest hash, Instant now) {
        Optional<TokenRow> earlier =
                table.findNode(node, hash).filter(row -> row.info().valid(now));
        if (earlier.isPresent()) {
            return earlier.get().info();
        }
        TokenRow identity = create(node, hash, now);
        table.insert(identity);
        audit.add(AuditAction.NODE_ENROL, node, null, identity.info());
        LOG.info("{} was exchanged for the node's identity fsi_{}", account.name(), identity.id());
        return identity.info();
    }

    private TokenRow create(String node, Digest hash, Instant now) {
        return TokenRow.create(
                TokenText.newId(),
                hash,
                TokenKind.NODE,
                node,
                List.of(Scope.NODE),
                node,
                now,
                now.plus(settings.nodeLife()));
    }

    private TokenInfo exchangeLocked(Identity caller, String node, Digest hash) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        if (caller.id().startsWith(Identity.SERVICE_ACCOUNT)) {
            if (caller.kind() != TokenKind.ENROLMENT) {
                throw new ProblemException(
                        ProblemKind.FORBIDDEN,
                        caller.name() + " may not enrol nodes; --faasimage.service-accounts.subjects[SUBJECT]=node"
                                + " permits that");
            }
            return enrolAccount(caller, node, hash, now);
        }
        TokenRow presented = table.lock(caller.id())
                .filter(row -> row.info().valid(now) && node.equals(row.info().node()))
                .orElseThrow(() -> new ProblemException(
                        ProblemKind.UNAUTHORIZED, caller.name() + " is not valid any more; enrol the node again"));
        Optional<TokenRow> earlier = presented.successor().flatMap(table::find);
        if (earlier.isPresent()
                && earlier.get().hash().equals(hash)
                && earlier.get().info().valid(now)) {
            return earlier.get().info();
        }
        if (presented.successor().isPresent() && presented.info().kind() == TokenKind.ENROLMENT) {
            throw new ProblemException(
                    ProblemKind.UNAUTHORIZED,
                    caller.name() + " was already exchanged for an identity; create another with 'faasimage token"
                            + " create " + node + " --enrol'");
        }
        TokenRow identity = create(node, hash, now);
        table.insert(identity);
        table.succeed(presented.id(), identity.id());
        boolean enrols = presented.info().kind() == TokenKind.ENROLMENT;
        if (enrols) {
            table.shorten(presented.id(), now.plus(REPEATS));
        }
        audit.add(enrols ? AuditAction.NODE_ENROL : AuditAction.NODE_RENEW, node, presented.info(), identity.info());
        LOG.info("{} was exchanged for the node's identity fsi_{}", caller.name(), identity.id());
        return identity.info();
    }
}
