package io.faasimage.refactor;

import io.faasimage.format.erofs.ErofsWriter;
import io.faasimage.format.erofs.TreeRefusedException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FileTree;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.spool.CompressedFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A writer of the metadata images of an image's prefixes, each distinct one once. For one thread. */
final class MetadataWriter {
    private static final int BUFFER = 256 << 10;

    private final Path work;
    private final OutputFiles output;
    private final int level;
    private final Map<Digest, MetadataImage> images = new LinkedHashMap<>();

    MetadataWriter(Path work, OutputFiles output, EngineConfig config) {
        this.work = work;
        this.output = output;
        this.level = config.startupLevel();
    }

    /** The metadata image of {@code tree}. */
    MetadataImage write(FileTree tree) throws IOException {
        Path raw = work.resolve("metadata.erofs");
        Digest digest = writeRaw(tree, raw);
        MetadataImage held = images.get(digest);
        if (held == null) {
            Path part = output.begin();
            long stored = CompressedFile.write(raw, digest, level, part);
            Path file = output.name(part, "metadata-" + digest.hex() + ".erofs.zst");
            held = new MetadataImage(digest, Files.size(raw), file, stored);
            images.put(digest, held);
        }
        Files.delete(raw);
        return held;
    }

    private static Digest writeRaw(FileTree tree, Path raw) throws IOException {
        MessageDigest hash = Digest.newSha256();
        try (OutputStream out =
                new BufferedOutputStream(new DigestOutputStream(Files.newOutputStream(raw), hash), BUFFER)) {
            ErofsWriter.write(tree, out);
        } catch (TreeRefusedException e) {
            throw new RefactorException(
                    Kind.UNSUPPORTED, "this root file system cannot be a metadata image: " + e.getMessage(), e);
        }
        return Digest.ofBytes(hash.digest());
    }

    /** The distinct images, bottom first. */
    List<MetadataImage> images() {
        return List.copyOf(images.values());
    }
}
