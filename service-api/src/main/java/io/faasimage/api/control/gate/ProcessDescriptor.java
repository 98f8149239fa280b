package io.faasimage.api.control.gate;

import io.faasimage.api.control.codec.JsonFields;
import io.faasimage.api.control.codec.ObjectCodec;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/**
 * A file descriptor of a process.
 *
 * @param pid the process
 * @param number of the descriptor there
 */
public record ProcessDescriptor(long pid, int number) {
    static final ObjectCodec<ProcessDescriptor> CODEC = new ObjectCodec<>() {
        @Override
        public void writeFields(ProcessDescriptor descriptor, JsonGenerator out) {
            out.writeNumberProperty("pid", descriptor.pid());
            out.writeNumberProperty("descriptor", descriptor.number());
        }

        @Override
        public ProcessDescriptor read(JsonParser in) {
            JsonFields fields = JsonFields.read(in);
            return new ProcessDescriptor(fields.number("pid", -1), (int) fields.number("descriptor", -1));
        }
    };
}
