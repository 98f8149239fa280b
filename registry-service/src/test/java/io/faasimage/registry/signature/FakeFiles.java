package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.AttachedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A repository's files in memory. */
final class FakeFiles implements AttachedFiles {
    private final Map<String, String> tags = new HashMap<>();
    private final Map<Digest, String> manifests = new HashMap<>();
    private final Map<Digest, String> referrers = new HashMap<>();
    private final Map<Digest, byte[]> blobs = new HashMap<>();
    private boolean away;

    Digest blob(byte[] bytes) {
        blobs.put(Digest.of(bytes), bytes);
        return Digest.of(bytes);
    }

    Digest manifest(String json) {
        Digest digest = Digest.of(json.getBytes(StandardCharsets.UTF_8));
        manifests.put(digest, json);
        return digest;
    }

    void tag(String tag, String json) {
        tags.put(tag, json);
    }

    void refer(Digest subject, String json) {
        referrers.put(subject, json);
    }

    /** The registry does not answer any more. */
    void leave() {
        away = true;
    }

    private Optional<Document> document(String json) throws IOException {
        if (away) {
            throw new RefactorException(RefactorException.Kind.UNAVAILABLE, "the registry is away");
        }
        return Optional.of(json)
                .filter(text -> !text.isEmpty())
                .map(text -> new Document(Digest.of(text.getBytes(StandardCharsets.UTF_8)), text));
    }

    @Override
    public Optional<Document> tagged(String tag) throws IOException {
        return document(tags.getOrDefault(tag, ""));
    }

    @Override
    public Optional<Document> manifest(Digest digest) throws IOException {
        return document(manifests.getOrDefault(digest, ""));
    }

    @Override
    public Optional<Document> referrers(Digest subject, String artifactType) throws IOException {
        return document(referrers.getOrDefault(subject, ""));
    }

    @Override
    public Optional<byte[]> blob(Digest digest, int limit) throws IOException {
        byte[] bytes = blobs.getOrDefault(digest, new byte[0]);
        if (bytes.length > limit) {
            throw new RefactorException(RefactorException.Kind.LIMIT, "too large");
        }
        return bytes.length == 0 ? Optional.empty() : Optional.of(bytes.clone());
    }
}
