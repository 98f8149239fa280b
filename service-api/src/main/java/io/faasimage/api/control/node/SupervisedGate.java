package io.faasimage.api.control.node;

import io.faasimage.api.control.codec.JsonFields;
import io.faasimage.api.control.codec.ObjectCodec;
import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.api.control.gate.GateStatusCodec;
import io.faasimage.api.control.gate.GateSupervision;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * A node's gate in its {@link NodeStatus}: one JSON object with the reports of the agent and of the gate.
 *
 * @param supervision as the agent reports it
 * @param status as the gate reports it; empty when it does not answer in time
 */
@JsonSerialize(using = SupervisedGate.Serializer.class)
@JsonDeserialize(using = SupervisedGate.Deserializer.class)
public record SupervisedGate(GateSupervision supervision, Optional<GateStatus> status) {
    private static final class GateCodec implements ObjectCodec<SupervisedGate> {
        private final GateStatusCodec statuses = new GateStatusCodec();

        @Override
        public void writeFields(SupervisedGate gate, JsonGenerator out) {
            out.writeBooleanProperty("ready", gate.supervision().ready());
            out.writeNumberProperty("starts", gate.supervision().starts());
            gate.supervision().problem().ifPresent(problem -> out.writeStringProperty("problem", problem));
            gate.status().ifPresent(status -> statuses.writeFields(status, out));
        }

        @Override
        public SupervisedGate read(JsonParser in) {
            JsonFields fields = JsonFields.read(in);
            return new SupervisedGate(
                    new GateSupervision(fields.flag("ready"), fields.number("starts", 0), fields.text("problem")),
                    fields.has("pid") ? Optional.of(statuses.of(fields)) : Optional.empty());
        }
    }

    /** The codec, as data binding wants it. */
    static final class Serializer extends ValueSerializer<SupervisedGate> {
        private final GateCodec codec = new GateCodec();

        @Override
        public void serialize(SupervisedGate gate, JsonGenerator out, SerializationContext context) {
            codec.write(gate, out);
        }
    }

    /** The codec, as data binding wants it. */
    static final class Deserializer extends ValueDeserializer<SupervisedGate> {
        private final GateCodec codec = new GateCodec();

        @Override
        public SupervisedGate deserialize(JsonParser in, DeserializationContext context) {
            return codec.read(in);
        }
    }
}
