package io.faasimage.registry.platform.audit;

import io.faasimage.registry.platform.problem.ProblemException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A recorded action. The labels are part of the API. */
public enum AuditAction {
    FUNCTION_REGISTER("function.register"),
    /** Another image or other settings for a function that was there. */
    FUNCTION_REPLACE("function.replace"),
    FUNCTION_DELETE("function.delete"),
    FUNCTION_PIN("function.pin"),
    FUNCTION_UNPIN("function.unpin"),
    /** The trace and the plans of an image were forgotten. */
    IMAGE_RETRACE("image.retrace"),
    IMAGE_REFACTOR("image.refactor"),
    /** All profiles that were imported before were replaced. */
    PROFILE_IMPORT("profile.import"),
    TOKEN_CREATE("token.create"),
    TOKEN_REVOKE("token.revoke"),
    /** An enrolment token was exchanged for the identity of a node. */
    NODE_ENROL("node.enrol"),
    /** The identity of a node was exchanged for one that lives longer. */
    NODE_RENEW("node.renew"),
    SESSION_BEGIN("session.begin"),
    SESSION_END("session.end"),
    /** A sign-in with a token that is not valid. */
    REFUSED_SIGN_IN("refused.sign-in"),
    /** A request with a token that is not valid. */
    REFUSED_TOKEN("refused.token"),
    /** A request with a valid token that does not permit it. */
    REFUSED_ACCESS("refused.access");

    private final String label;

    AuditAction(String label) {
        this.label = label;
    }

    /** The name in the API and on the dashboard. */
    public String label() {
        return label;
    }

    /** The labels that a filter names: one of them, or with {@code function} all of functions; null for any. */
    static List<String> matching(@Nullable String filter) {
        if (filter == null || filter.isEmpty()) {
            return List.of();
        }
        List<String> found = Arrays.stream(values())
                .map(AuditAction::label)
                .filter(label -> label.equals(filter) || label.startsWith(filter + "."))
                .toList();
        if (found.isEmpty()) {
            throw ProblemException.badRequest("'action' is one of "
                    + Arrays.stream(values()).map(AuditAction::label).collect(Collectors.joining(", "))
                    + ", or the part of one before its dot");
        }
        return found;
    }
}
