package io.faasimage.registry.store.plan;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.refactor.image.Platform;
import io.faasimage.registry.store.signing.Signing;
import io.faasimage.registry.store.signing.SigningException;
import io.faasimage.registry.store.signing.StatementTable;
import java.time.Clock;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The signed statements of plans: made when a plan is, and sent with it. Only plans that this service has made of an
 * image are signed, or of a plan that is signed itself, so a plan that another party stored stays unsigned.
 * Thread-safe.
 */
@Component
public class PlanStatements {
    private final StatementTable table;
    private final Signing signing;
    private final Clock clock;

    PlanStatements(JdbcClient jdbc, Signing signing, Clock clock) {
        this.signing = signing;
        this.clock = clock;
        this.table = new StatementTable(jdbc, "plan_statements", "plan");
    }

    /**
     * The statement of a plan that was made from its image or from a trusted plan; empty when this service does not
     * sign. May take as long as the key's command: not to be called in a transaction.
     *
     * @throws SigningException when the key cannot be used now
     */
    public Optional<SignedDocument> sign(Digest digest, Plan plan) throws SigningException {
        return signing.isOn()
                ? signing.sign(PlanStatement.of(digest, plan, Platform.host().toString(), clock.instant())
                        .encode())
                : Optional.empty();
    }

    /** Adds the statement of a plan that is in the table. */
    public void add(Digest plan, SignedDocument statement) {
        table.put(plan.toString(), statement);
    }

    /** The statement of a plan as it is stored, for nodes, which verify it. */
    public Optional<SignedDocument> find(Digest plan) {
        return table.find(plan.toString());
    }

    /** Whether another plan may be made from this one: this service has signed it, or signs nothing. */
    public boolean isTrusted(Digest digest, Plan plan) {
        return !signing.isOn()
                || find(digest)
                        .filter(signing::verify)
                        .filter(signed -> isOf(signed, digest, plan))
                        .isPresent();
    }

    private static boolean isOf(SignedDocument signed, Digest digest, Plan plan) {
        try {
            return PlanStatement.decode(signed.document()).isOf(digest, plan.image(), plan.topChain());
        } catch (FormatException e) {
            return false;
        }
    }

    /** The table of the statements. */
    public StatementTable table() {
        return table;
    }
}
