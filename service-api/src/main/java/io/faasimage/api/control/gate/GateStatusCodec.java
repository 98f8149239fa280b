package io.faasimage.api.control.gate;

import io.faasimage.api.control.codec.JsonFields;
import io.faasimage.api.control.codec.ObjectCodec;
import io.faasimage.api.control.gate.GateStatus.Connection;
import io.faasimage.api.control.gate.GateStatus.Images;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** The codec of {@link GateStatus}. The counts of fetches and images are fields of the object itself. */
public final class GateStatusCodec implements ObjectCodec<GateStatus> {
    @Override
    public void writeFields(GateStatus status, JsonGenerator out) {
        out.writeNumberProperty("pid", status.pid());
        out.writeStringProperty("mount", status.mount());
        out.writeObjectPropertyStart("connection");
        out.writeNumberProperty("descriptor", status.connection().descriptor());
        out.writeBooleanProperty("resends", status.connection().resends());
        out.writeEndObject();
        out.writeNumberProperty("guard", status.guard());
        status.images().ifPresent(images -> write(images, out));
        out.writeStringProperty("store", status.store());
        out.writeStringProperty("registry", status.registry());
        out.writeNumberProperty("requests", status.requests());
        out.writeNumberProperty("callbacks", status.callbacks());
        write(status.fetches(), out);
    }

    private static void write(Images images, JsonGenerator out) {
        out.writeStringProperty("images", images.path());
        out.writeNumberProperty("imagesMapped", images.mapped());
        out.writeNumberProperty("imageCallbacks", images.callbacks());
        out.writeNumberProperty("imageFilesOpen", images.filesOpen());
        out.writeNumberProperty("imageBytesRead", images.bytesRead());
    }

    private static void write(FetchStatus fetches, JsonGenerator out) {
        out.writeNumberProperty("fetched", fetches.fetched());
        out.writeNumberProperty("bytes", fetches.bytes());
        out.writeNumberProperty("failed", fetches.failed());
        out.writeNumberProperty("refused", fetches.refused());
        out.writeNumberProperty("waiting", fetches.waiting());
        fetches.lastFailure().ifPresent(failure -> {
            out.writeStringProperty("lastFailure", failure.reason());
            out.writeStringProperty("lastFailureTime", failure.time().toString());
        });
    }

    @Override
    public GateStatus read(JsonParser in) {
        return of(JsonFields.read(in));
    }

    /** The status with these fields. */
    public GateStatus of(JsonFields fields) {
        JsonFields connection = fields.object("connection");
        return new GateStatus(
                fields.number("pid", -1),
                fields.text("mount").orElse(""),
                new Connection(
                        (int) connection.number("descriptor", Connection.NONE.descriptor()),
                        connection.flag("resends")),
                (int) fields.number("guard", -1),
                fields.text("images").map(path -> images(path, fields)),
                fields.text("store").orElse(""),
                fields.text("registry").orElse(""),
                fields.number("requests", 0),
                fields.number("callbacks", 0),
                fetches(fields));
    }

    private static Images images(String path, JsonFields fields) {
        return new Images(
                path,
                fields.number("imagesMapped", 0),
                fields.number("imageCallbacks", 0),
                fields.number("imageFilesOpen", 0),
                fields.number("imageBytesRead", 0));
    }

    private static FetchStatus fetches(JsonFields fields) {
        return new FetchStatus(
                fields.number("fetched", 0),
                fields.number("bytes", 0),
                fields.number("failed", 0),
                fields.number("refused", 0),
                fields.number("waiting", 0),
                fields.text("lastFailure").flatMap(reason -> failure(reason, fields.text("lastFailureTime"))));
    }

    private static Optional<FetchStatus.Failure> failure(String reason, Optional<String> time) {
        try {
            return time.map(text -> new FetchStatus.Failure(Instant.parse(text), reason));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'lastFailureTime' is no time: " + e.getMessage(), e);
        }
    }
}
