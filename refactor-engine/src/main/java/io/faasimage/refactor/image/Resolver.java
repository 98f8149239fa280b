package io.faasimage.refactor.image;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.ImageDocument.Entry;
import io.faasimage.refactor.image.ImageDocument.Fetched;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The resolution of a reference's document to one platform's image, the same for every source. */
final class Resolver {
    private static final int MAX_INDEX_DEPTH = 3;

    /** A source of documents by digest, which it has verified. */
    interface Documents {
        /** A manifest or index. */
        Fetched document(Digest digest, long size) throws IOException;

        /** A configuration blob. */
        String configuration(Digest digest, long size) throws IOException;
    }

    private final ImageLocation reference;
    private final Documents documents;
    private final ImageBudget budget;
    private final DocumentParser parser;

    Resolver(ImageLocation reference, Documents documents, ImageBudget budget) {
        this.reference = reference;
        this.documents = documents;
        this.budget = budget;
        this.parser = new DocumentParser(reference.toString());
    }

    /** The image for {@code platform} below {@code root}. */
    ResolvedImage resolve(Fetched root, Platform platform) throws IOException {
        Fetched current = root;
        Optional<Digest> index = Optional.empty();
        for (int depth = 0; depth <= MAX_INDEX_DEPTH; depth++) {
            switch (parser.document(current.json())) {
                case ImageDocument.Manifest manifest -> {
                    return image(current.digest(), index, manifest, platform);
                }
                case ImageDocument.Index list -> {
                    index = index.isPresent() ? index : Optional.of(current.digest());
                    Entry entry = select(list.entries(), platform);
                    current = documents.document(entry.digest(), entry.size());
                }
            }
        }
        throw new RefactorException(Kind.INVALID, reference + " nests indexes deeper than " + MAX_INDEX_DEPTH);
    }

    /** The platforms with Linux of the images below {@code root}. */
    List<Platform> platforms(Fetched root) throws IOException {
        return switch (parser.document(root.json())) {
            case ImageDocument.Manifest manifest ->
                List.of(parser.configuration(documents.configuration(manifest.config(), manifest.configSize()))
                        .platform());
            case ImageDocument.Index index ->
                index.entries().stream()
                        .flatMap(entry -> entry.platform().stream())
                        .filter(platform -> platform.os().equals("linux"))
                        .distinct()
                        .toList();
        };
    }

    private Entry select(List<Entry> entries, Platform platform) throws RefactorException {
        for (Entry entry : entries) {
            if (entry.platform().isPresent()
                    && platform.accepts(entry.platform().get())) {
                return entry;
            }
        }
        if (entries.size() == 1 && entries.getFirst().platform().isEmpty()) {
            return entries.getFirst();
        }
        String offered = entries.stream()
                .map(e -> e.platform().map(Platform::toString).orElse("unknown"))
                .distinct()
                .collect(Collectors.joining(", "));
        throw new RefactorException(
                Kind.NOT_FOUND, reference + " has no image for " + platform + "; it has " + offered);
    }

    private ResolvedImage image(
            Digest digest, Optional<Digest> index, ImageDocument.Manifest manifest, Platform platform)
            throws IOException {
        budget.check(reference, manifest.layers());
        ImageDocument.Configuration configuration =
                parser.configuration(documents.configuration(manifest.config(), manifest.configSize()));
        if (!platform.accepts(configuration.platform())) {
            throw new RefactorException(
                    Kind.NOT_FOUND,
                    reference + " is an image for " + configuration.platform() + ", not for " + platform);
        }
        List<Digest> diffIds = configuration.diffIds();
        if (diffIds.size() != manifest.layers().size()) {
            throw new RefactorException(
                    Kind.INVALID,
                    reference + " has " + manifest.layers().size() + " layers but " + diffIds.size() + " diff IDs");
        }
        return new ResolvedImage(
                reference,
                platform,
                digest,
                index,
                manifest.config(),
                manifest.layers(),
                diffIds,
                ChainId.ofLayers(diffIds),
                configuration.config());
    }
}
