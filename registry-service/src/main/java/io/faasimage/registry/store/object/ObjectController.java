package io.faasimage.registry.store.object;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.platform.connection.ClientStream;
import io.faasimage.registry.platform.problem.Digests;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.blob.BlobStore;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/objects}: content by digest; it never changes. */
@RestController
class ObjectController {
    /** Never in a shared cache: the token decides who may read it. */
    private static final String IMMUTABLE = "private, max-age=31536000, immutable";

    private final ObjectTable objects;
    private final BlobStore blobs;
    private final MappedFiles files;

    ObjectController(ObjectTable objects, BlobStore blobs, MappedFiles files) {
        this.blobs = blobs;
        this.objects = objects;
        this.files = files;
    }

    /**
     * An object or metadata image: its zstd frames for a client that accepts it, else its raw form or a part of that.
     */
    @GetMapping(path = "/v1/objects/{digest}", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    void object(@PathVariable String digest, HttpServletRequest request, HttpServletResponse response) {
        Digest name = Digests.parse(digest);
        StoredObject object = objects.find(name)
                .orElseThrow(() -> ProblemException.notFound("there is no object " + name
                        + "; only objects of refactored images are stored, GET /v1/images lists those"));
        boolean head = request.getMethod().equals("HEAD");
        boolean zstd = request.getHeader("Range") == null && acceptsZstd(request.getHeader("Accept-Encoding"));
        if (head || !zstd) {
            StoredFrames.check(blobs, List.of(object));
        }
        // Nodes request frames, and a start waits for each: it costs one request to the store at most.
        Optional<MappedFile> file = zstd ? files.find(object.blob(), object.end()) : Optional.empty();
        Optional<ByteSpan> part = part(object, request, response);
        String tag = tag(object, zstd);
        response.setHeader("ETag", tag);
        response.setHeader("Cache-Control", IMMUTABLE);
        response.setHeader("Vary", "Accept-Encoding");
        response.setHeader("Accept-Ranges", "bytes");
        if (tagMatches(request.getHeader("If-None-Match"), tag)) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        response.setContentType(MediaType.APPLICATION_OCTET_STREAM_VALUE);
        if (zstd) {
            response.setHeader("Content-Encoding", "zstd");
            response.setContentLengthLong(object.storedLength());
            if (!head) {
                sendFrame(object, file, response);
            }
        } else if (part.isPresent()) {
            ByteSpan span = part.get();
            response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
            response.setHeader(
                    "Content-Range",
                    "bytes " + span.first() + "-" + (span.first() + span.length() - 1) + "/" + object.rawSize());
            sendRaw(object, span, head, response);
        } else {
            sendRaw(object, new ByteSpan(0, object.rawSize()), head, response);
        }
    }

    private static Optional<ByteSpan> part(
            StoredObject object, HttpServletRequest request, HttpServletResponse response) {
        @Nullable String range = request.getHeader("Range");
        @Nullable String onlyIf = request.getHeader("If-Range");
        if (range == null || (onlyIf != null && !onlyIf.equals(tag(object, false)))) {
            return Optional.empty();
        }
        try {
            return ByteSpan.parse(range, object.rawSize());
        } catch (ProblemException e) {
            response.setHeader("Content-Range", "bytes */" + object.rawSize());
            throw e;
        }
    }

    private void sendFrame(StoredObject object, Optional<MappedFile> file, HttpServletResponse response) {
        if (file.isPresent()) {
            MemorySegment frame = file.get().content().asSlice(object.offset(), object.storedLength());
            ClientStream.sendDirect(response, target -> target.write(file.get().file(), object.offset(), frame));
        } else {
            ClientStream.send(response, out -> frames().copy(object, out));
        }
    }

    /** From the store and not its cache: a frame that turns out to be bad is forgotten. */
    private void sendRaw(StoredObject object, ByteSpan span, boolean head, HttpServletResponse response) {
        response.setContentLengthLong(span.length());
        if (!head) {
            ClientStream.send(response, out -> frames().copyRaw(object, span.first(), span.length(), out));
        }
    }

    private StoredFrames frames() {
        return new StoredFrames(blobs, objects::forget);
    }

    private static String tag(StoredObject object, boolean zstd) {
        return "\"" + object.digest().hex() + (zstd ? "-zstd\"" : "\"");
    }

    private static boolean tagMatches(@Nullable String header, String tag) {
        if (header == null) {
            return false;
        }
        for (String candidate : header.split(",")) {
            String text = candidate.strip();
            if (text.equals("*") || text.equals(tag) || text.equals("W/" + tag)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an {@code Accept-Encoding} header names zstd with a quality above zero. */
    static boolean acceptsZstd(@Nullable String header) {
        if (header == null) {
            return false;
        }
        for (String coding : header.split(",")) {
            String[] parts = coding.strip().split(";");
            if (parts[0].strip().equalsIgnoreCase("zstd")) {
                return parts.length < 2 || !parts[1].replace(" ", "").matches("q=0(\\.0*)?");
            }
        }
        return false;
    }
}
