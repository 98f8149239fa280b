package io.faasimage.registry.signature;

import java.util.Base64;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The parser of signed JSON: a document in which a name stands twice, or after which more follows, may mean different
 * things to different readers and is refused. Stateless.
 */
final class StrictJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private StrictJson() {}

    /** An object; messages call it {@code name}. */
    static JsonNode object(String name, byte[] json) throws SignatureFault {
        try {
            JsonNode node = MAPPER.readTree(json);
            if (node.isObject()) {
                return node;
            }
        } catch (JacksonException e) {
            throw new SignatureFault(name + " is not valid JSON, or has a name twice", e);
        }
        throw new SignatureFault(name + " is not a JSON object");
    }

    /** A field that must be there, as text. */
    static String text(String name, JsonNode object, String... path) throws SignatureFault {
        JsonNode at = object;
        for (String field : path) {
            at = at.path(field);
        }
        if (!at.isString()) {
            throw new SignatureFault(name + " has no text '" + String.join(".", path) + "'");
        }
        return at.stringValue();
    }

    /** Bytes of Base64, in the usual alphabet. */
    static byte[] base64(String name, String text) throws SignatureFault {
        return decoded(name, Base64.getDecoder(), text);
    }

    /** Bytes of Base64, in the alphabet for URLs. */
    static byte[] base64Url(String name, String text) throws SignatureFault {
        return decoded(name, Base64.getUrlDecoder(), text);
    }

    private static byte[] decoded(String name, Base64.Decoder decoder, String text) throws SignatureFault {
        try {
            return decoder.decode(text);
        } catch (IllegalArgumentException e) {
            throw new SignatureFault(name + " is not Base64", e);
        }
    }
}
