package io.faasimage.api.client;

import java.io.FileNotFoundException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A body of two parts, {@code multipart/form-data}: JSON named {@code metadata}, and a file named {@code archive} that
 * is read while it is sent.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7578">RFC 7578</a>
 */
final class MultipartBody {
    private final String boundary = "faasimage-" + UUID.randomUUID();
    private final byte[] metadata;
    private final Path archive;

    MultipartBody(byte[] metadata, Path archive) {
        this.metadata = metadata.clone();
        this.archive = archive;
    }

    String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    BodyPublisher publisher() throws FileNotFoundException {
        String first = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"metadata\"\r\n"
                + "Content-Type: application/json\r\n\r\n";
        String second = "\r\n--" + boundary + "\r\nContent-Disposition: form-data; name=\"archive\";"
                + " filename=\"archive\"\r\nContent-Type: application/octet-stream\r\n\r\n";
        return BodyPublishers.concat(
                text(first),
                BodyPublishers.ofByteArray(metadata),
                text(second),
                BodyPublishers.ofFile(archive),
                text("\r\n--" + boundary + "--\r\n"));
    }

    private static BodyPublisher text(String text) {
        return BodyPublishers.ofString(text, StandardCharsets.UTF_8);
    }
}
