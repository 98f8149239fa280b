package io.faasimage.refactor.layer;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.Inode;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/** The byte form of inodes in a layer index (docs/formats/layer-index.md). Stateless. */
final class InodeCodec {
    private static final int DIRECTORY = 0;
    private static final int FILE = 1;
    private static final int SYMLINK = 2;
    private static final int CHARACTER_DEVICE = 3;
    private static final int BLOCK_DEVICE = 4;
    private static final int FIFO = 5;
    private static final int SOCKET = 6;
    private static final int MAX_BYTES = 1 << 20;

    private InodeCodec() {}

    static int kind(Inode inode) {
        return switch (inode) {
            case Inode.Directory d -> DIRECTORY;
            case Inode.RegularFile f -> FILE;
            case Inode.Symlink l -> SYMLINK;
            case Inode.Special special ->
                switch (special.kind()) {
                    case CHARACTER_DEVICE -> CHARACTER_DEVICE;
                    case BLOCK_DEVICE -> BLOCK_DEVICE;
                    case FIFO -> FIFO;
                    case SOCKET -> SOCKET;
                };
        };
    }

    static void write(ByteWriter out, Inode inode) {
        write(out, inode.attributes());
        switch (inode) {
            case Inode.Directory d -> {}
            case Inode.RegularFile file -> {
                out.number(file.size());
                file.content().ifPresent(out::digest);
            }
            case Inode.Symlink link -> out.sized(latin(link.target()));
            case Inode.Special special -> out.number(special.major()).number(special.minor());
        }
    }

    static void write(ByteWriter out, Attributes attributes) {
        out.u16(attributes.mode()).u32(attributes.uid()).u32(attributes.gid());
        out.u64(attributes.mtimeSeconds()).u32(attributes.mtimeNanos());
        out.number(attributes.xattrs().size());
        attributes.xattrs().forEach((name, value) -> out.sized(latin(name)).sized(value));
    }

    static Inode read(int kind, ByteReader in) throws FormatException {
        Attributes attributes = attributes(in);
        return switch (kind) {
            case DIRECTORY -> new Inode.Directory(attributes);
            case FILE -> {
                long size = in.number();
                yield size == 0
                        ? Inode.RegularFile.empty(attributes)
                        : Inode.RegularFile.of(attributes, size, in.digest());
            }
            case SYMLINK -> new Inode.Symlink(attributes, text(in, "link target"));
            case CHARACTER_DEVICE -> special(attributes, Inode.Special.Kind.CHARACTER_DEVICE, in);
            case BLOCK_DEVICE -> special(attributes, Inode.Special.Kind.BLOCK_DEVICE, in);
            case FIFO -> special(attributes, Inode.Special.Kind.FIFO, in);
            case SOCKET -> special(attributes, Inode.Special.Kind.SOCKET, in);
            default -> throw in.bad("unknown kind of entry " + kind);
        };
    }

    private static Inode special(Attributes attributes, Inode.Special.Kind kind, ByteReader in) throws FormatException {
        return new Inode.Special(
                attributes, kind, in.number("major number", 1 << 12), in.number("minor number", 1 << 20));
    }

    static Attributes attributes(ByteReader in) throws FormatException {
        int mode = in.u16();
        int uid = in.u32();
        int gid = in.u32();
        long seconds = in.u64();
        int nanos = in.u32();
        int count = in.count("attributes", 2);
        SortedMap<String, byte[]> xattrs = new TreeMap<>();
        String last = "";
        for (int i = 0; i < count; i++) {
            String name = text(in, "name of an attribute");
            if (i > 0 && name.compareTo(last) <= 0) {
                throw in.bad("attributes are not in the order of their names");
            }
            xattrs.put(name, in.sized("attribute", MAX_BYTES));
            last = name;
        }
        return new Attributes(mode, uid, gid, seconds, nanos, xattrs);
    }

    private static String text(ByteReader in, String what) throws FormatException {
        return new String(in.sized(what, MAX_BYTES), StandardCharsets.ISO_8859_1);
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
