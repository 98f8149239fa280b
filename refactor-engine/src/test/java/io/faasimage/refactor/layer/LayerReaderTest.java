package io.faasimage.refactor.layer;

import static io.faasimage.refactor.TestImages.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.flatten.Flattener;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.spool.Spool;
import io.faasimage.refactor.spool.SpoolWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tars as GNU tar writes them, and as an attacker might. */
class LayerReaderTest {
    private static final long MAX_FILE = 64 << 20;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    @SuppressWarnings("NullAway.Init")
    private Path root;

    @SuppressWarnings("NullAway.Init")
    private LayerLimits limits;

    private int spools;

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectory(temp.resolve("root"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gnu", "pax", "ustar"})
    void readsWhatTarWrites(String format) throws Exception {
        String longName = "n".repeat(format.equals("ustar") ? 90 : 250);
        Path file = Files.writeString(root.resolve(longName), "content");
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_600_000_000L, 123_456_789)));
        Files.createSymbolicLink(root.resolve("link"), Path.of("../../" + longName));
        Files.createLink(root.resolve("zz-hard"), file);
        run(root, "mkfifo", "fifo");
        Files.createDirectory(root.resolve("with space \u00e4"));
        FileTree tree = flatten(run(root, "tar", "--format=" + format, "-c", "."));

        Inode.RegularFile read = (Inode.RegularFile) get(tree, longName);
        assertThat(read.content()).contains(digest("content"));
        assertThat(read.attributes().mtimeSeconds()).isEqualTo(1_600_000_000L);
        assertThat(read.attributes().mtimeNanos()).isEqualTo(format.equals("pax") ? 123_456_789 : 0);
        assertThat(get(tree, "zz-hard")).isSameAs(read);
        assertThat(((Inode.Symlink) get(tree, "link")).target()).isEqualTo("../../" + longName);
        assertThat(((Inode.Special) get(tree, "fifo")).kind()).isEqualTo(Inode.Special.Kind.FIFO);
        assertThat(get(tree, "with space \u00e4")).isInstanceOf(Inode.Directory.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--format=gnu",
                "--format=pax --sparse-version=0.0",
                "--format=pax --sparse-version=0.1",
                "--format=pax --sparse-version=1.0"
            })
    void readsSparseFiles(String options) throws Exception {
        Path file = root.resolve("sparse");
        try (var channel = Files.newByteChannel(
                file,
                java.nio.file.StandardOpenOption.CREATE_NEW,
                java.nio.file.StandardOpenOption.WRITE,
                java.nio.file.StandardOpenOption.SPARSE)) {
            for (int i = 1; i < 12; i++) {
                channel.position(i * (1L << 20));
                channel.write(java.nio.ByteBuffer.wrap(("block " + i).getBytes(StandardCharsets.UTF_8)));
            }
        }
        Files.writeString(root.resolve("zz-after"), "after");
        List<String> command = new java.util.ArrayList<>(List.of("tar", "-S", "-c"));
        command.addAll(Arrays.asList(options.split(" ")));
        command.add(".");
        FileTree tree = flatten(run(root, command.toArray(String[]::new)));

        assertThat(((Inode.RegularFile) get(tree, "sparse")).content()).contains(Digest.of(Files.readAllBytes(file)));
        assertThat(((Inode.RegularFile) get(tree, "zz-after")).content()).contains(digest("after"));
    }

    @Test
    void keepsBinaryAttributesAndNamesByteForByte() throws Exception {
        byte[] tar = pax(
                "name",
                Map.of(
                        "SCHILY.xattr.security.capability",
                        new byte[] {1, 0, 0, 2, (byte) 0xff, (byte) 0x80, 0, 10, 61},
                        "path",
                        new byte[] {'a', (byte) 0xe9, (byte) 0xff}));
        FileTree tree = flatten(tar);

        Inode inode = tree.get(new FilePath("a\u00e9\u00ff")).orElseThrow();
        assertThat(inode.attributes().xattrs().get("security.capability"))
                .containsExactly(1, 0, 0, 2, 0xff, 0x80, 0, 10, 61);
    }

    @ParameterizedTest
    @CsvSource({
        "-1.5, 0, 0",
        "-0.000000001, 0, 0",
        "0.5, 0, 500000000",
        "9223372036.854775807, 9223372036, 854775807",
        "9223372036.854775808, 0, 0",
        "99999999999, 0, 0"
    })
    void timesThatContainerdCannotSetAreTheEpoch(String written, long seconds, int nanos) throws Exception {
        Inode inode = get(flatten(pax("f", Map.of("mtime", written.getBytes(StandardCharsets.US_ASCII)))), "f");
        assertThat(inode.attributes().mtimeSeconds()).isEqualTo(seconds);
        assertThat(inode.attributes().mtimeNanos()).isEqualTo(nanos);
    }

    @Test
    void readsDevices() throws Exception {
        TarArchiveEntry character = new TarArchiveEntry("null", TarConstants.LF_CHR);
        character.setDevMajor(1);
        character.setDevMinor(3);
        TarArchiveEntry block = new TarArchiveEntry("loop0", TarConstants.LF_BLK);
        block.setDevMajor(7);
        FileTree tree = flatten(tar(new Item(character, ""), new Item(block, "")));
        Inode.Special read = (Inode.Special) get(tree, "null");
        assertThat(read.kind()).isEqualTo(Inode.Special.Kind.CHARACTER_DEVICE);
        assertThat(read.major()).isEqualTo(1);
        assertThat(read.minor()).isEqualTo(3);
        assertThat(((Inode.Special) get(tree, "loop0")).kind()).isEqualTo(Inode.Special.Kind.BLOCK_DEVICE);
    }

    @Test
    void aCharacterDeviceWithoutNumberIsAWhiteout() throws Exception {
        TarArchiveEntry device = new TarArchiveEntry("gone", TarConstants.LF_CHR);
        assertThat(flatten(tar(new Item(device, ""))).size()).isEqualTo(1);
    }

    @Test
    void refusesOverlayAttributes() throws Exception {
        byte[] tar = pax("f", Map.of("SCHILY.xattr.trusted.overlay.redirect", new byte[] {'/', 'x'}));
        assertRefused(tar, Kind.INVALID, "trusted.overlay.redirect");
    }

    @Test
    void leavesOutAttributesThatContainerdLeavesOut() throws Exception {
        byte[] one = {1};
        Map<String, byte[]> records = Map.of(
                "SCHILY.xattr.com.apple.quarantine", one,
                "SCHILY.xattr.trusted.md5sum", one,
                "SCHILY.xattr.security.ima", one,
                "SCHILY.xattr.user.mime", one);
        assertThat(get(flatten(pax("f", records)), "f").attributes().xattrs())
                .containsOnlyKeys("security.ima", "user.mime");
        assertThat(limits.skippedXattrs()).isEqualTo(2);

        TarArchiveEntry fifo = new TarArchiveEntry("f", TarConstants.LF_FIFO);
        assertThat(get(flatten(pax(new Item(fifo, ""), records)), "f")
                        .attributes()
                        .xattrs())
                .containsOnlyKeys("security.ima");
    }

    @Test
    void refusesNamesThatLeaveTheRoot() throws Exception {
        assertRefused(tar(entry("a/../../etc/passwd", "x")), Kind.INVALID, "..");
    }

    @Test
    void absoluteNamesAreBelowTheRoot() throws Exception {
        TarArchiveEntry entry = new TarArchiveEntry("/etc/passwd", true);
        entry.setSize(1);
        assertThat(flatten(tar(new Item(entry, "x"))).get(FilePath.ofText("etc/passwd")))
                .isPresent();
    }

    @Test
    void linksDoNotLeaveTheRoot() throws Exception {
        TarArchiveEntry link = new TarArchiveEntry("out", TarConstants.LF_SYMLINK);
        link.setLinkName("../../../tmp");
        link.setMode(0644);
        FileTree tree = flatten(tar(new Item(link, ""), entry("out/file", "x")));
        assertThat(get(tree, "out").attributes().mode()).isEqualTo(0777);
        assertThat(tree.get(FilePath.ofText("tmp/file"))).isPresent();
        assertThat(Files.exists(temp.resolve("tmp"))).isFalse();
    }

    @Test
    void linkCyclesAreAnError() throws Exception {
        TarArchiveEntry link = new TarArchiveEntry("a", TarConstants.LF_SYMLINK);
        link.setLinkName("a");
        byte[] tar = tar(new Item(link, ""), entry("a/file", "x"));
        assertThatThrownBy(() -> flatten(tar)).hasMessageContaining("too many symbolic links");
    }

    @Test
    void truncatedArchiveIsAnError() throws Exception {
        byte[] tar = tar(entry("file", "x".repeat(5000)));
        assertRefused(Arrays.copyOf(tar, 2048), Kind.INVALID, "file");
    }

    @Test
    void tooManyEntriesAreAnError() throws Exception {
        Item[] items = new Item[11];
        for (int i = 0; i < items.length; i++) {
            items[i] = entry("f" + i, "");
        }
        assertRefused(tar(items), Kind.LIMIT, "entries");
    }

    @Test
    void tooMuchMetadataIsAnError() throws Exception {
        Map<String, byte[]> records = Map.of("SCHILY.xattr.user.a", new byte[60 << 10]);
        byte[] one = pax("a", records);
        assertThat(flatten(one).size()).isEqualTo(2);
        assertRefused(
                tar(paxHeader("a", records), entry("a", ""), paxHeader("b", records), entry("b", "")),
                Kind.LIMIT,
                "entry 'b'");
    }

    @Test
    void aBrokenTransportIsTriedAgainWithinTheLimits() throws Exception {
        byte[] tar = tar(entry("file", "x".repeat(500_000)));
        LayerDescriptor layer =
                new LayerDescriptor(Digest.of(tar), tar.length, "application/vnd.oci.image.layer.v1.tar");
        try (BreakingSource source = new BreakingSource(tar, 2);
                Spool spool = new Spool(temp, Holdings.NONE, 1)) {
            LayerLimits once = new LayerLimits(tar.length, MAX_FILE, 1, 10, 0);
            List<LayerEntry> entries = new LayerReader(source, spool, once, path -> 3, n -> {})
                    .read(0, layer, Digest.of(tar), 3)
                    .entries();
            assertThat(entries).hasSize(1);
            assertThat(source.breaks).isZero();
        }
    }

    /** A source that breaks off a number of times at the end of its one layer. */
    private static final class BreakingSource implements ImageSource {
        private final byte[] layer;
        private int breaks;

        BreakingSource(byte[] layer, int breaks) {
            this.layer = layer;
            this.breaks = breaks;
        }

        @Override
        public ResolvedImage resolve(Platform platform) {
            throw new UnsupportedOperationException();
        }

        @Override
        public InputStream openLayer(LayerDescriptor descriptor) {
            if (breaks == 0) {
                return new ByteArrayInputStream(layer);
            }
            breaks--;
            return new FilterInputStream(new ByteArrayInputStream(layer, 0, layer.length - 1024)) {
                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    int n = super.read(buffer, offset, length);
                    if (n < 0) {
                        throw new RefactorException(Kind.UNAVAILABLE, "the connection was reset");
                    }
                    return n;
                }
            };
        }

        @Override
        public void close() {}
    }

    @Test
    void tooLargeSparseFileIsAnError() throws Exception {
        Path file = root.resolve("bomb");
        run(root, "truncate", "-s", "100M", file.toString());
        assertRefused(run(root, "tar", "-S", "--format=pax", "-c", "bomb"), Kind.LIMIT, "bomb");
    }

    @Test
    void tooLongNameIsAnError() throws Exception {
        assertRefused(tar(entry("n".repeat(300), "x")), Kind.INVALID, "255");
    }

    /** Only the header is there: its body would be read whole. */
    @ParameterizedTest
    @ValueSource(chars = {'L', 'K', 'x', 'X', 'g'})
    void aLongSpecialHeaderIsRefusedBeforeItsBodyIsRead(char type) throws Exception {
        assertRefused(header(type, 400 << 20), Kind.LIMIT, "the limit is 1048576");
    }

    /** As in Go's archive/tar, and so in containerd. */
    @Test
    void globalHeadersSayNothingOfTheEntriesAfterThem() throws Exception {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        writeGlobal(tar, Map.of("path", new byte[] {'b'}, "uid", new byte[] {'7'}, "comment", new byte[] {'c'}));
        tar.write(tar(entry("a", "x")));
        FileTree tree = flatten(tar.toByteArray());
        assertThat(get(tree, "a").attributes().uid()).isZero();
        assertThat(tree.get(FilePath.ofText("b"))).isEmpty();
    }

    @Test
    void globalHeadersAreBoundedTogether() throws Exception {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++) {
            byte[] value = new byte[500_000];
            Arrays.fill(value, (byte) 'v');
            writeGlobal(tar, Map.of("comment" + i, value));
        }
        assertRefused(tar.toByteArray(), Kind.LIMIT, "the limit is 1048576");
    }

    private static void writeGlobal(ByteArrayOutputStream tar, Map<String, byte[]> records) throws IOException {
        byte[] body = paxHeader("g", records).content.getBytes(StandardCharsets.ISO_8859_1);
        tar.write(header('g', body.length));
        tar.write(Arrays.copyOf(body, (body.length + 511) / 512 * 512));
    }

    @ParameterizedTest
    @ValueSource(chars = {'L', 'x', 'g'})
    void aRowOfSpecialHeadersIsRefused(char type) throws Exception {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        for (int i = 0; i < 100_000; i++) {
            tar.write(header(type, 0));
        }
        assertRefused(tar.toByteArray(), Kind.LIMIT, "more than 16 headers");
    }

    @Test
    void theMapOfASparseFileIsBounded() throws Exception {
        ByteArrayOutputStream old = new ByteArrayOutputStream();
        byte[] first = header('S', 0);
        first[482] = 1;
        old.write(first);
        byte[] more = new byte[512];
        more[504] = 1;
        for (int i = 0; i < 10_000; i++) {
            old.write(more);
        }
        assertRefused(old.toByteArray(), Kind.LIMIT, "sparse file of more than");
        Item inBody = entry("f", "99999999999\n" + "0\n".repeat(1000));
        assertRefused(
                pax(inBody, Map.of("GNU.sparse.major", new byte[] {'1'}, "GNU.sparse.minor", new byte[] {'0'})),
                Kind.LIMIT,
                "sparse file of more than");
    }

    /** A header alone, with the right checksum. */
    private static byte[] header(char type, int size) {
        byte[] record = new byte[512];
        put(record, 0, "././@LongLink");
        put(record, 100, "0000644\0" + "0000000\0" + "0000000\0" + String.format("%011o\0", size) + "00000000000\0");
        put(record, 148, "        " + type);
        put(record, 257, type == 'S' || type == 'L' || type == 'K' ? "ustar  \0" : "ustar\00000");
        int sum = 0;
        for (byte b : record) {
            sum += b & 0xff;
        }
        put(record, 148, String.format("%06o\0 ", sum));
        return record;
    }

    private static void put(byte[] record, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, record, at, bytes.length);
    }

    private void assertRefused(byte[] tar, Kind kind, String message) {
        assertThatThrownBy(() -> flatten(tar))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(message);
    }

    private record Item(TarArchiveEntry entry, String content) {}

    private static Item entry(String name, String content) {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(content.length());
        return new Item(entry, content);
    }

    private static byte[] tar(Item... items) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
            for (Item item : items) {
                tar.putArchiveEntry(item.entry);
                tar.write(item.content.getBytes(StandardCharsets.ISO_8859_1));
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] pax(String name, Map<String, byte[]> records) throws IOException {
        return pax(entry(name, "x"), records);
    }

    private static byte[] pax(Item item, Map<String, byte[]> records) throws IOException {
        return tar(paxHeader(item.entry.getName(), records), item);
    }

    private static Item paxHeader(String name, Map<String, byte[]> records) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Map.Entry<String, byte[]> record : records.entrySet()) {
            int rest = record.getKey().length() + record.getValue().length + 3;
            int length = rest + Integer.toString(rest + 2).length();
            body.write((length + " " + record.getKey() + "=").getBytes(StandardCharsets.ISO_8859_1));
            body.write(record.getValue());
            body.write('\n');
        }
        TarArchiveEntry header = new TarArchiveEntry("PaxHeaders/" + name, TarConstants.LF_PAX_EXTENDED_HEADER_LC);
        header.setSize(body.size());
        return new Item(header, body.toString(StandardCharsets.ISO_8859_1));
    }

    private FileTree flatten(byte[] tar) throws IOException {
        Path directory = Files.createDirectory(temp.resolve("spool" + spools++));
        try (Spool spool = new Spool(directory, Holdings.NONE, 1);
                SpoolWriter writer = spool.writer("layer")) {
            limits = new LayerLimits(MAX_FILE * 4, MAX_FILE, 10, 100 << 10, 64 << 10);
            List<LayerEntry> entries =
                    new TarReader(new LayerUse(limits), writer, path -> 3).read(new ByteArrayInputStream(tar));
            Flattener flattener = new Flattener(100);
            flattener.apply(entries);
            return flattener.tree();
        }
    }

    private static Inode get(FileTree tree, String name) {
        return tree.get(FilePath.ofText(name)).orElseThrow();
    }

    private static Digest digest(String content) {
        return Digest.of(content.getBytes(StandardCharsets.UTF_8));
    }
}
