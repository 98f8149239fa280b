package io.faasimage.refactor.image;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;

/** A parsed {@code /path[:reference]}; a colon may be in both parts, so the longest path that exists wins. */
final class LocalName {
    private LocalName() {}

    static ImageLocation parse(
            String name, String whole, BiFunction<Path, Optional<String>, ? extends ImageLocation> make) {
        try {
            for (int end = name.length(); end > 0; end = name.lastIndexOf(':', end - 1)) {
                Path path = Path.of(name.substring(0, end));
                if (Files.exists(path)) {
                    return make.apply(path, referenceAfter(name, end));
                }
            }
            int colon = name.indexOf(':');
            String path = colon < 0 ? name : name.substring(0, colon);
            if (path.isEmpty()) {
                throw new IllegalArgumentException("no path in the image reference '" + whole + "'");
            }
            return make.apply(Path.of(path), referenceAfter(name, path.length()));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("not a path in the image reference '" + whole + "'", e);
        }
    }

    private static Optional<String> referenceAfter(String name, int end) {
        return end + 1 < name.length() ? Optional.of(name.substring(end + 1)) : Optional.empty();
    }
}
