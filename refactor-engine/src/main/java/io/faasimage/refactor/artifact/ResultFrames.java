package io.faasimage.refactor.artifact;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.refactor.ObjectLocation;
import io.faasimage.refactor.RefactorResult;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The frames in the packs of a refactoring that held nothing. For one thread. */
public final class ResultFrames implements StoredFrames, Closeable {
    private final Map<Digest, ObjectLocation> locations;
    private final Map<String, Path> files;
    private final Map<String, RandomAccessFile> open = new HashMap<>();

    /** The frames of {@code result}. */
    public ResultFrames(RefactorResult result) {
        locations = result.locations().stream().collect(Collectors.toMap(ObjectLocation::digest, Function.identity()));
        files = result.packs().stream()
                .collect(Collectors.toMap(pack -> pack.file().getFileName().toString(), pack -> pack.file()));
    }

    @Override
    public void copy(Digest object, IndexRange frames, OutputStream out) throws IOException {
        @Nullable ObjectLocation at = locations.get(object);
        if (at == null) {
            throw new IOException("the refactoring has no object " + object);
        }
        long from = at.frames().offset(frames.from());
        byte[] bytes = new byte[Math.toIntExact(at.frames().end(frames.to() - 1) - from)];
        RandomAccessFile file = file(at.pack());
        file.seek(at.offset() + from);
        file.readFully(bytes);
        out.write(bytes);
    }

    private RandomAccessFile file(String pack) throws IOException {
        @Nullable RandomAccessFile file = open.get(pack);
        if (file == null) {
            file = new RandomAccessFile(String.valueOf(files.get(pack)), "r");
            open.put(pack, file);
        }
        return file;
    }

    @Override
    public void close() throws IOException {
        for (RandomAccessFile file : open.values()) {
            file.close();
        }
    }
}
