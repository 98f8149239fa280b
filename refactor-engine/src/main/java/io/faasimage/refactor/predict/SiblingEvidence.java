package io.faasimage.refactor.predict;

import io.faasimage.format.plan.Library;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files of libraries that the function uses, to which nothing else leads: plug-ins and parts whose names a library
 * composes while it runs. They are read last, and {@link StartCost} keeps those that are small. For one image and one
 * thread.
 */
public final class SiblingEvidence implements FileEvidence {
    /** A less probable file does not show that the function uses the library. */
    private static final double USED = 0.5;

    /** The share of such files that a start reads. */
    private static final double SHARE = 0.1;

    /** The closure finds the imports of Python. */
    private static final double SHARE_OF_PYTHON = 0.02;

    private static final Set<String> PYTHON = Set.of("py", "pyc", "so");

    /** Where Debian's packages put libraries, which belong to the base then. */
    private static final Pattern SHARED_DIRECTORY = Pattern.compile(
            "(?:usr/share/perl5|usr/lib/[^/]+/perl5/[^/]+|usr/share/php|usr/lib/ruby/vendor_ruby|usr/share/nodejs"
                    + "|usr/lib/python3/dist-packages)/([^/.]+).*");

    private final FileEvidence uses;

    /** Evidence about siblings of the files that {@code uses} leads to. */
    public SiblingEvidence(FileEvidence uses) {
        this.uses = uses;
    }

    /** A library, or a directory that is one, and the ending of names of files. */
    private record Kind(String library, String ending) {}

    @Override
    public List<PredictedFile> of(FlatImage image) throws IOException {
        Set<Kind> used = new HashSet<>();
        Set<FilePath> found = new HashSet<>();
        double last = 0;
        for (PredictedFile file : uses.of(image)) {
            last = Math.max(last, file.rank());
            if (file.probability() >= USED) {
                found.add(file.path());
                kind(image, file.path()).ifPresent(used::add);
            }
        }
        double afterAll = last + 1;
        List<PredictedFile> siblings = new ArrayList<>();
        for (Map.Entry<FilePath, Inode> entry : image.tree().inodes().entrySet()) {
            boolean isFile = entry.getValue() instanceof Inode.RegularFile file
                    && file.content().isPresent();
            if (isFile && !found.contains(entry.getKey())) {
                kind(image, entry.getKey())
                        .filter(used::contains)
                        .ifPresent(kind -> siblings.add(new PredictedFile(
                                entry.getKey(), Evidence.SIBLING, kind.library(), share(kind), afterAll)));
            }
        }
        return siblings;
    }

    private static double share(Kind kind) {
        return PYTHON.contains(kind.ending()) ? SHARE_OF_PYTHON : SHARE;
    }

    private static Optional<Kind> kind(FlatImage image, FilePath path) {
        String name = path.name();
        String ending = name.substring(name.lastIndexOf('.') + 1);
        Optional<String> library = image.owners().ownerOf(path).library().map(Library::coordinates);
        if (library.isEmpty()) {
            Matcher matcher = SHARED_DIRECTORY.matcher(path.raw());
            library = matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
        }
        return library.map(known -> new Kind(known, ending));
    }
}
