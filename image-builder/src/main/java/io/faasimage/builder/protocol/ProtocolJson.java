package io.faasimage.builder.protocol;

import io.faasimage.api.rest.Json;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.image.ImageLocation;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** The JSON of this package's records; images are written as references, secrets as an object of base64. */
public final class ProtocolJson {
    private static final JsonMapper MAPPER = Json.mapper()
            .rebuild()
            .addModule(new SimpleModule("builder")
                    .addSerializer(BuildSecrets.class, new SecretsSerializer())
                    .addDeserializer(BuildSecrets.class, new SecretsDeserializer())
                    .addSerializer(ImageLocation.class, new ToStringSerializer(ImageLocation.class))
                    .addDeserializer(ImageLocation.class, new Parsed<>(ImageLocation.class, ImageLocation::parse))
                    .addSerializer(ImageReference.class, new ToStringSerializer(ImageReference.class))
                    .addDeserializer(ImageReference.class, new Parsed<>(ImageReference.class, ImageReference::parse)))
            .build();

    private ProtocolJson() {}

    private static final class Parsed<T> extends StdDeserializer<T> {
        private final Function<String, T> parser;

        Parsed(Class<T> type, Function<String, T> parser) {
            super(type);
            this.parser = parser;
        }

        @Override
        public T deserialize(JsonParser json, DeserializationContext context) {
            return parser.apply(json.getString());
        }
    }

    private static final class SecretsSerializer extends StdSerializer<BuildSecrets> {
        SecretsSerializer() {
            super(BuildSecrets.class);
        }

        @Override
        public void serialize(BuildSecrets secrets, JsonGenerator json, SerializationContext context) {
            json.writeStartObject();
            secrets.contents().forEach(json::writeBinaryProperty);
            json.writeEndObject();
        }
    }

    private static final class SecretsDeserializer extends StdDeserializer<BuildSecrets> {
        SecretsDeserializer() {
            super(BuildSecrets.class);
        }

        @Override
        public BuildSecrets deserialize(JsonParser json, DeserializationContext context) {
            Map<String, byte[]> contents = json.readValueAs(new TypeReference<TreeMap<String, byte[]>>() {});
            try {
                return BuildSecrets.of(contents);
            } catch (BuildException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }
    }

    /** A record as JSON. */
    public static byte[] encode(Object record) {
        return MAPPER.writeValueAsBytes(record);
    }

    /**
     * The record that JSON has.
     *
     * @throws IllegalArgumentException when it has none
     */
    public static <T> T decode(byte[] json, Class<T> type) {
        try {
            T record = MAPPER.readValue(json, type);
            if (record != null) {
                return record;
            }
        } catch (JacksonException | NullPointerException e) {
            throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("not a " + type.getSimpleName() + ": null");
    }
}
