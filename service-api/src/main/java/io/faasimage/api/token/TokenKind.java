package io.faasimage.api.token;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The origin and the purpose of a token. */
public enum TokenKind {
    /** Created by an administrator for people, programs or nodes. */
    @JsonProperty("token")
    TOKEN,
    /** Created by an administrator for one node, which exchanges it once for an identity of its own. */
    @JsonProperty("enrolment")
    ENROLMENT,
    /** The identity of an enrolled node, which the node renews by itself. */
    @JsonProperty("node")
    NODE
}
