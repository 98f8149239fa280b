package io.faasimage.refactor.image;

import io.faasimage.layer.Decompressed;
import io.faasimage.layer.LayerException;
import io.faasimage.layer.PaxTap;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** The files in an archive, at random; an archive that is compressed as a whole is unpacked beside others first. */
final class ArchiveFile implements Closeable {
    private static final int MAX_ENTRIES = 100_000;
    private static final int MAX_LINKS = 8;

    private record Span(long offset, long size) {}

    private final Path path;
    private final boolean temporary;
    private final FileChannel channel;
    private final Map<String, Span> files = new HashMap<>();
    private final Map<String, String> links = new HashMap<>();

    private ArchiveFile(Path path, boolean temporary) throws IOException {
        this.path = path;
        this.temporary = temporary;
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
    }

    static ArchiveFile open(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new RefactorException(Kind.NOT_FOUND, "there is no archive file " + file);
        }
        Optional<Path> unpacked = unpacked(file);
        ArchiveFile archive = new ArchiveFile(unpacked.orElse(file), unpacked.isPresent());
        try {
            archive.scan();
            return archive;
        } catch (IOException | RuntimeException e) {
            archive.close();
            throw switch (e) {
                case RefactorException r -> r;
                case LayerException l -> RefactorException.of(l);
                default -> new RefactorException(Kind.INVALID, file + " is not a tar archive: " + e.getMessage(), e);
            };
        }
    }

    private static Optional<Path> unpacked(Path file) throws IOException {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                Decompressed in = Decompressed.of(raw, file.toString())) {
            if (in.compression() == Decompressed.Compression.NONE) {
                return Optional.empty();
            }
            Path temporary = Files.createTempFile("faasimage-archive-", ".tar");
            try {
                Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
                return Optional.of(temporary);
            } catch (IOException | RuntimeException e) {
                Files.deleteIfExists(temporary);
                throw e;
            }
        } catch (LayerException e) {
            throw RefactorException.of(e);
        }
    }

    private void scan() throws IOException {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(path));
                TarArchiveInputStream tar = new TarArchiveInputStream(new PaxTap(raw), "UTF-8")) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (files.size() + links.size() >= MAX_ENTRIES) {
                    throw new RefactorException(Kind.LIMIT, path + " has more than " + MAX_ENTRIES + " entries");
                }
                String name = clean(entry.getName());
                if (entry.isSymbolicLink() || entry.isLink()) {
                    String target = entry.getLinkName();
                    links.put(name, entry.isLink() ? clean(target) : relative(name, target));
                } else if (entry.isFile() && !entry.isSparse()) {
                    files.put(name, new Span(tar.getBytesRead(), entry.getSize()));
                }
            }
        }
    }

    private static String relative(String link, String target) {
        int slash = link.lastIndexOf('/');
        return clean((slash < 0 ? "" : link.substring(0, slash + 1)) + target);
    }

    private static String clean(String name) {
        String normal = Path.of("/").resolve(name.replace("\0", "")).normalize().toString();
        return normal.substring(1);
    }

    /** True when there is a file or link of this name. */
    boolean has(String name) {
        return files.containsKey(name) || links.containsKey(name);
    }

    /** The size of a file in bytes. */
    long size(String name) throws RefactorException {
        return span(name).size;
    }

    /** Opens a file of the archive. */
    InputStream open(String name) throws RefactorException {
        Span span = span(name);
        return new SpanStream(span.offset, span.offset + span.size);
    }

    private Span span(String name) throws RefactorException {
        String current = clean(name);
        for (int i = 0; i < MAX_LINKS; i++) {
            Span span = files.get(current);
            if (span != null) {
                return span;
            }
            String target = links.get(current);
            if (target == null) {
                break;
            }
            current = target;
        }
        throw new RefactorException(Kind.NOT_FOUND, path + " has no file " + name);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (temporary) {
            Files.deleteIfExists(path);
        }
    }

    /** A stream of a part of the channel, read by position, so that several may be open. */
    private final class SpanStream extends InputStream {
        private long position;
        private final long end;

        SpanStream(long start, long end) {
            this.position = start;
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (position >= end) {
                return -1;
            }
            int wanted = (int) Math.min(length, end - position);
            int n = channel.read(ByteBuffer.wrap(buffer, offset, wanted), position);
            if (n > 0) {
                position += n;
            }
            return n;
        }
    }
}
