package io.faasimage.format.tree;

import io.faasimage.format.id.Digest;
import java.util.Optional;

/**
 * A file-system object. Identity matters: two paths that hold the same instance are hard links of one inode, so the
 * implementations are classes with identity equality and not records.
 */
public sealed interface Inode {
    /** Mode, owner, times and extended attributes. */
    Attributes attributes();

    /** A directory; its entries are the paths below it in the {@link FileTree}. */
    final class Directory implements Inode {
        private final Attributes attributes;

        /** A directory with these attributes. */
        public Directory(Attributes attributes) {
            this.attributes = attributes;
        }

        @Override
        public Attributes attributes() {
            return attributes;
        }
    }

    /** A regular file: size and the digest of its content. */
    final class RegularFile implements Inode {
        private final Attributes attributes;
        private final long size;
        private final Optional<Digest> content;

        private RegularFile(Attributes attributes, long size, Optional<Digest> content) {
            this.attributes = attributes;
            this.size = size;
            this.content = content;
        }

        /** A file of {@code size} bytes, greater than 0. */
        public static RegularFile of(Attributes attributes, long size, Digest content) {
            if (size <= 0) {
                throw new IllegalArgumentException("a file with content has a positive size, not " + size);
            }
            return new RegularFile(attributes, size, Optional.of(content));
        }

        /** A file without content. */
        public static RegularFile empty(Attributes attributes) {
            return new RegularFile(attributes, 0, Optional.empty());
        }

        @Override
        public Attributes attributes() {
            return attributes;
        }

        /** Size in bytes. */
        public long size() {
            return size;
        }

        /** The object that holds the content; absent exactly when the size is 0. */
        public Optional<Digest> content() {
            return content;
        }
    }

    /** A symbolic link. */
    final class Symlink implements Inode {
        private final Attributes attributes;
        private final String target;

        /** A link to {@code target}, one char per byte, 1 to 4095 bytes, none of them 0. */
        public Symlink(Attributes attributes, String target) {
            if (target.isEmpty() || target.length() > 4095) {
                throw new IllegalArgumentException("link target of " + target.length() + " bytes");
            }
            if (target.chars().anyMatch(c -> c == 0 || c > 0xff)) {
                throw new IllegalArgumentException("link target with something that is not a byte of a path");
            }
            this.attributes = attributes;
            this.target = target;
        }

        @Override
        public Attributes attributes() {
            return attributes;
        }

        /** The target, one char per byte. */
        public String target() {
            return target;
        }
    }

    /** A device, FIFO or socket. */
    final class Special implements Inode {
        /** The kinds of special files. */
        public enum Kind {
            CHARACTER_DEVICE,
            BLOCK_DEVICE,
            FIFO,
            SOCKET
        }

        private final Attributes attributes;
        private final Kind kind;
        private final int major;
        private final int minor;

        /** A special file; device numbers are 0 for FIFOs and sockets. */
        public Special(Attributes attributes, Kind kind, int major, int minor) {
            if (major < 0 || major >= 1 << 12 || minor < 0 || minor >= 1 << 20) {
                throw new IllegalArgumentException("device number out of range: " + major + ":" + minor);
            }
            this.attributes = attributes;
            this.kind = kind;
            this.major = major;
            this.minor = minor;
        }

        @Override
        public Attributes attributes() {
            return attributes;
        }

        /** Device, FIFO or socket. */
        public Kind kind() {
            return kind;
        }

        /** Major device number, 12 bits. */
        public int major() {
            return major;
        }

        /** Minor device number, 20 bits. */
        public int minor() {
            return minor;
        }
    }
}
