package io.faasimage.api.token;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.faasimage.api.rest.FieldChecks;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The creation of a token: {@code POST /v1/tokens}.
 *
 * @param name its purpose; with {@code enrol}, the name of the node
 * @param scopes its permissions; none with {@code enrol}
 * @param expiresIn seconds after which it ends; null: never, and of an enrolment after an hour
 * @param node the only node that a token with the scope {@code node} may report; null for any
 * @param enrol whether the token is only to be exchanged for the identity of a node
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TokenRequest(
        String name,
        List<Scope> scopes,
        @Nullable Long expiresIn,
        @Nullable String node,
        boolean enrol) {
    private static final long LONGEST = Duration.ofDays(3650).toSeconds();
    private static final long LONGEST_ENROLMENT = Duration.ofDays(30).toSeconds();

    /** Checks the fields, and copies the scopes; absent ones are none. */
    @SuppressWarnings("ConstantValue") // JSON may leave out what must be there.
    public TokenRequest {
        scopes =
                scopes == null ? List.of() : scopes.stream().distinct().sorted().toList();
        FieldChecks.name("name", name);
        long longest = enrol ? LONGEST_ENROLMENT : LONGEST;
        if (expiresIn != null && (expiresIn < 1 || expiresIn > longest)) {
            throw FieldChecks.refused("expiresIn", "is a number of seconds from 1 to " + longest);
        }
        if (enrol && (!scopes.isEmpty() || node != null)) {
            throw FieldChecks.refused("enrol", "goes without scopes and node: the name is the node's");
        }
        if (!enrol && scopes.isEmpty()) {
            throw FieldChecks.refused("scopes", "names one scope at least");
        }
        if (node != null) {
            FieldChecks.name("node", node);
            if (!scopes.equals(List.of(Scope.NODE))) {
                throw FieldChecks.refused("node", "goes with the scope node alone: any other reaches beyond one node");
            }
        }
    }

    /** An enrolment of {@code node}. */
    public static TokenRequest enrolment(String node, @Nullable Long expiresIn) {
        return new TokenRequest(node, List.of(), expiresIn, null, true);
    }
}
