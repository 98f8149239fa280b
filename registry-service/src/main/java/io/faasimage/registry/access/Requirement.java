package io.faasimage.registry.access;

import io.faasimage.api.token.Scope;
import java.util.Set;

/** The requirement of an endpoint. */
sealed interface Requirement {
    /** Nothing: no token is needed. */
    record Nothing() implements Requirement {}

    /** One of some scopes; {@link Scope#ADMIN} always suffices. */
    record OneOf(Set<Scope> scopes) implements Requirement {
        public OneOf {
            scopes = Set.copyOf(scopes);
        }
    }

    /** The scope {@link Scope#NODE}, and for a token that is one node's, that the path names this node. */
    record OwnNode() implements Requirement {}

    /** The enrolment token of the node that the path names; nothing else suffices. */
    record Enrolment() implements Requirement {}
}
