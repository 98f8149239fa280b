package io.faasimage.refactor.image;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.faasimage.format.id.ImageReference;
import java.nio.file.Path;
import java.util.Optional;

/** The location of an image: in a registry, an OCI layout directory or an archive file. */
public sealed interface ImageLocation {
    /**
     * Parses {@code [registry[:port]/]repository[:tag][@sha256:hex]} as Docker does, {@code oci:/directory[:reference]}
     * or {@code archive:/file.tar[:reference]}.
     *
     * @throws IllegalArgumentException when it is none of these
     */
    @JsonCreator
    static ImageLocation parse(String text) {
        if (text.startsWith("oci:")) {
            return LocalName.parse(text.substring(4), text, Layout::new);
        }
        if (text.startsWith("archive:")) {
            return LocalName.parse(text.substring(8), text, Archive::new);
        }
        return new Remote(ImageReference.parse(text));
    }

    /** The text that {@link #parse} takes. */
    @JsonValue
    @Override
    String toString();

    /** An image in a registry. */
    record Remote(ImageReference reference) implements ImageLocation {
        @Override
        public String toString() {
            return reference.toString();
        }
    }

    /**
     * An image in an OCI layout directory.
     *
     * @param directory that has {@code oci-layout} and {@code index.json}
     * @param reference annotation {@code org.opencontainers.image.ref.name} or a manifest digest; may be empty when the
     *     index has one entry
     */
    record Layout(Path directory, Optional<String> reference) implements ImageLocation {
        @Override
        public String toString() {
            return "oci:" + directory + reference.map(r -> ":" + r).orElse("");
        }
    }

    /**
     * An image in a file made by {@code docker save}, or a tar of an OCI layout; plain or gzip.
     *
     * @param file the archive
     * @param reference repository tag or reference name; may be empty when the archive has one image
     */
    record Archive(Path file, Optional<String> reference) implements ImageLocation {
        @Override
        public String toString() {
            return "archive:" + file + reference.map(r -> ":" + r).orElse("");
        }
    }
}
