package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.ImageDocument.Entry;
import io.faasimage.refactor.image.ImageDocument.Fetched;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Images in an OCI layout, in a directory or an archive.
 *
 * @see <a href="https://github.com/opencontainers/image-spec/blob/main/image-layout.md">OCI image layout</a>
 */
final class LayoutImages implements Resolver.Documents {
    /** The files of a layout. */
    interface Files {
        /** Opens a file by its name relative to the layout; NOT_FOUND when it is not there. */
        InputStream open(String name) throws IOException;
    }

    private final ImageLocation reference;
    private final Optional<String> name;
    private final Files files;
    private final ImageBudget budget;

    LayoutImages(ImageLocation reference, Optional<String> name, Files files, SourceOptions options) {
        this.reference = reference;
        this.name = name;
        this.files = files;
        this.budget = options.budget();
    }

    /** The image that the reference names in {@code index.json}. */
    ResolvedImage resolve(Platform platform) throws IOException {
        String json;
        try (InputStream in = files.open("index.json")) {
            json = text(in, "index.json");
        }
        if (!(new DocumentParser(reference.toString()).document(json) instanceof ImageDocument.Index index)) {
            throw new RefactorException(Kind.INVALID, reference + ": index.json is not an index");
        }
        Entry entry = select(index.entries(), platform);
        return new Resolver(reference, this, budget).resolve(document(entry.digest(), entry.size()), platform);
    }

    private Entry select(List<Entry> entries, Platform platform) throws RefactorException {
        List<Entry> matching = entries.stream()
                .filter(e -> name.isEmpty() || isNamed(e, name.get()))
                .toList();
        if (matching.size() > 1) {
            matching = matching.stream()
                    .filter(e -> e.platform().filter(platform::accepts).isPresent())
                    .toList();
        }
        if (matching.size() == 1) {
            return matching.getFirst();
        }
        String names = entries.stream()
                .map(e -> e.name().orElse(e.digest().toString()))
                .distinct()
                .limit(20)
                .collect(Collectors.joining(", "));
        throw new RefactorException(
                Kind.NOT_FOUND,
                reference + " does not name one image for " + platform + "; add one of these after a colon: " + names);
    }

    private static boolean isNamed(Entry entry, String name) {
        return entry.digest().toString().equals(name)
                || entry.name()
                        .filter(n -> n.equals(name) || n.endsWith(":" + name))
                        .isPresent();
    }

    @Override
    public Fetched document(Digest digest, long size) throws IOException {
        return new Fetched(digest, configuration(digest, size));
    }

    @Override
    public String configuration(Digest digest, long size) throws IOException {
        try (InputStream in = open(digest, size, "document " + digest)) {
            return text(in, digest.toString());
        }
    }

    /** A layer blob, verified. */
    InputStream openLayer(LayerDescriptor layer) throws IOException {
        return open(layer.digest(), layer.size(), "layer " + layer.digest());
    }

    private InputStream open(Digest digest, long size, String what) throws IOException {
        return new VerifyingStream(files.open("blobs/sha256/" + digest.hex()), what + " of " + reference, digest, size);
    }

    private String text(InputStream in, String what) throws IOException {
        byte[] bytes = in.readNBytes(budget.documentBytes() + 1);
        if (bytes.length > budget.documentBytes()) {
            throw new RefactorException(
                    Kind.LIMIT,
                    what + " of " + reference + " is longer than the limit of " + budget.documentBytes() + " bytes"
                            + ImageBudget.raise("document"));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
