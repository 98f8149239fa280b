package io.faasimage.api.client;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;

/**
 * A body of parts, {@code multipart/form-data}: JSON named {@code metadata}, any number of files named {@code secret}
 * after whose ids they are called, and a file named {@code archive} that is read while it is sent.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7578">RFC 7578</a>
 */
final class MultipartBody extends AbstractHttpEntity {
    private final byte[] before;
    private final Path archive;
    private final long archiveBytes;
    private final byte[] after;

    /**
     * A body whose file must not change until it is sent.
     *
     * @throws IOException when there is no such file
     */
    MultipartBody(byte[] metadata, Map<String, byte[]> secrets, Path archive) throws IOException {
        this("faasimage-" + UUID.randomUUID(), metadata, secrets, archive);
    }

    private MultipartBody(String boundary, byte[] metadata, Map<String, byte[]> secrets, Path archive)
            throws IOException {
        super("multipart/form-data; boundary=" + boundary, null);
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        parts.writeBytes(bytes("--" + boundary + "\r\nContent-Disposition: form-data; name=\"metadata\"\r\n"
                + "Content-Type: application/json\r\n\r\n"));
        parts.writeBytes(metadata);
        secrets.forEach((id, content) -> {
            parts.writeBytes(file(boundary, "secret", id));
            parts.writeBytes(content);
        });
        parts.writeBytes(file(boundary, "archive", "archive"));
        this.before = parts.toByteArray();
        this.archive = archive;
        this.archiveBytes = Files.size(archive);
        this.after = bytes("\r\n--" + boundary + "--\r\n");
    }

    /** The head of a file, after the part before. */
    private static byte[] file(String boundary, String name, String file) {
        if (!file.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("not a name of letters, digits, '.', '_' and '-'");
        }
        return bytes("\r\n--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\""
                + file + "\"\r\nContent-Type: application/octet-stream\r\n\r\n");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public long getContentLength() {
        return before.length + archiveBytes + after.length;
    }

    @Override
    public InputStream getContent() throws IOException {
        return new SequenceInputStream(Collections.enumeration(List.of(
                new ByteArrayInputStream(before), Files.newInputStream(archive), new ByteArrayInputStream(after))));
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        out.write(before);
        Files.copy(archive, out);
        out.write(after);
    }

    @Override
    public boolean isRepeatable() {
        return true;
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public void close() {
        // Each stream is closed where it is read.
    }
}
