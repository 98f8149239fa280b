package io.faasimage.api.control.object;

import io.faasimage.api.control.codec.JsonFields;
import io.faasimage.api.control.codec.ObjectCodec;
import io.faasimage.format.id.Digest;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/**
 * A request for an object.
 *
 * @param object its digest
 */
public record FetchRequest(Digest object) {
    static final ObjectCodec<FetchRequest> CODEC = new FetchRequestCodec();

    private static final class FetchRequestCodec implements ObjectCodec<FetchRequest> {
        @Override
        public void writeFields(FetchRequest request, JsonGenerator out) {
            out.writeStringProperty("object", request.object().toString());
        }

        @Override
        public FetchRequest read(JsonParser in) {
            try {
                return new FetchRequest(
                        Digest.parse(JsonFields.read(in).text("object").orElse("")));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'object' is not a digest: " + e.getMessage(), e);
            }
        }
    }
}
