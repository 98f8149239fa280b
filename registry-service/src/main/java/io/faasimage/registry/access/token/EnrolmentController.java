package io.faasimage.registry.access.token;

import io.faasimage.api.token.NodeKey;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenKind;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.identity.NodeIdentities;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.swagger.v3.oas.annotations.Parameter;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The identities of nodes: {@code /v1/nodes/{name}/enrol} and {@code /v1/nodes/{name}/renew}. */
@RestController
class EnrolmentController {
    private final NodeIdentities identities;

    EnrolmentController(NodeIdentities identities) {
        this.identities = identities;
    }

    /** Exchanges an enrolment token for an identity of the node. */
    @PostMapping(
            path = "/v1/nodes/{name}/enrol",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    TokenInfo enrol(
            @PathVariable String name,
            @RequestBody NodeKey key,
            @Parameter(hidden = true) @AuthenticationPrincipal Identity caller) {
        return identities.exchange(caller, name, Digest.parse(key.hash()));
    }

    /** Exchanges the identity of a node for one that lives longer. */
    @PostMapping(
            path = "/v1/nodes/{name}/renew",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    TokenInfo renew(
            @PathVariable String name,
            @RequestBody NodeKey key,
            @Parameter(hidden = true) @AuthenticationPrincipal Identity caller) {
        if (caller.kind() != TokenKind.NODE) {
            throw new ProblemException(
                    ProblemKind.FORBIDDEN, caller.name() + " is not the identity of an enrolled node");
        }
        return identities.exchange(caller, name, Digest.parse(key.hash()));
    }
}
