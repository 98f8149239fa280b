package io.faasimage.registry.signature;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/**
 * A signed in-toto statement. Immutable.
 *
 * @see <a href="https://github.com/secure-systems-lab/dsse/blob/master/protocol.md">the protocol DSSE</a>
 */
final class DsseEnvelope {
    private static final String NAME = "its envelope";
    private static final String STATEMENT = "application/vnd.in-toto+json";

    private final byte[] payload;
    private final byte[] signature;

    private DsseEnvelope(byte[] payload, byte[] signature) {
        this.payload = payload;
        this.signature = signature;
    }

    static DsseEnvelope parse(JsonNode json) throws SignatureFault {
        if (!StrictJson.text(NAME, json, "payloadType").equals(STATEMENT)) {
            throw new SignatureFault(NAME + " is not one of a statement");
        }
        JsonNode signatures = json.path("signatures");
        if (signatures.size() != 1) {
            throw new SignatureFault(NAME + " has not exactly one signature");
        }
        return new DsseEnvelope(
                StrictJson.base64(NAME, StrictJson.text(NAME, json, "payload")),
                StrictJson.base64(NAME, StrictJson.text(NAME, signatures.path(0), "sig")));
    }

    /** The statement, as it is trusted once its signature has been verified. */
    byte[] payload() {
        return payload;
    }

    byte[] signature() {
        return signature;
    }

    /** What is signed: the protocol's pre-authentication encoding. */
    byte[] signed() {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        encoded.writeBytes(("DSSEv1 " + STATEMENT.length() + " " + STATEMENT + " " + payload.length + " ")
                .getBytes(StandardCharsets.UTF_8));
        encoded.writeBytes(payload);
        return encoded.toByteArray();
    }
}
