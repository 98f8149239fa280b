package io.faasimage.api.client;

import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.NodeKey;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenRequest;
import java.io.IOException;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/** Requests of a {@link ServiceClient} that concern tokens and the identities of nodes. Blocking, thread-safe. */
public final class TokenCalls {
    private static final String JSON = "application/json";

    private final ServiceCalls calls;

    TokenCalls(ServiceCalls calls) {
        this.calls = calls;
    }

    /** Creates a token; its secret is in this answer only. */
    public NewToken create(TokenRequest request) throws IOException {
        return calls.read(
                calls.send(calls.post("/v1/tokens", calls.json(request), JSON)), new TypeReference<NewToken>() {});
    }

    /** All tokens, newest first. */
    public List<TokenInfo> all() throws IOException {
        return calls.read(calls.send(calls.get("/v1/tokens")), new TypeReference<List<TokenInfo>>() {});
    }

    /** Revokes a token; of a node's identity, every identity of that node. */
    public void revoke(String id) throws IOException {
        calls.bytes(calls.send(calls.request("DELETE", "/v1/tokens/" + ServiceCalls.segment(id))));
    }

    /** Exchanges the client's enrolment token for an identity of the node; the same key gets the same identity. */
    public TokenInfo enrol(String node, NodeKey key) throws IOException {
        return identity(node, "enrol", key);
    }

    /** Exchanges the client's identity for one that lives longer; the same key gets the same identity. */
    public TokenInfo renew(String node, NodeKey key) throws IOException {
        return identity(node, "renew", key);
    }

    private TokenInfo identity(String node, String action, NodeKey key) throws IOException {
        String path = "/v1/nodes/" + ServiceCalls.segment(node) + "/" + action;
        return calls.read(
                calls.send(calls.post(path, calls.json(key), JSON).repeatable()), new TypeReference<TokenInfo>() {});
    }
}
