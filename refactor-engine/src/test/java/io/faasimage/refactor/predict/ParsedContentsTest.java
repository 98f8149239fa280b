package io.faasimage.refactor.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.closure.read.Content;
import io.faasimage.closure.read.ContentParser;
import io.faasimage.closure.read.ImageFiles.Parsed;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests of files that use the results of earlier analyses. */
class ParsedContentsTest {
    private static final long ROOM = 1 << 20;
    private static final int LARGE = 300_000;

    private final ParsedContents parsed = new ParsedContents(ROOM);
    private int opened;

    /** A parser of the first bytes; equal ones have equal results. */
    private record Head(int length) implements ContentParser<Integer> {
        @Override
        public Integer parse(Content content) throws IOException {
            return Arrays.hashCode(content.head(length));
        }
    }

    /** One file, parsed by an analysis of its own. */
    private Parsed<Integer> parse(byte[] content, byte[] stored, Head parser, long most) throws IOException {
        return parse(content, stored, parser, most, parsed);
    }

    private Parsed<Integer> parse(byte[] content, byte[] stored, Head parser, long most, ParsedContents cache)
            throws IOException {
        FileTree tree = new FileTree(Attributes.of(0755, 0, 0, 0, 0));
        FilePath path = FilePath.ofText("a");
        tree.put(path, Inode.RegularFile.of(Attributes.of(0644, 0, 0, 0, 0), content.length, Digest.of(content)));
        TreeFiles files = new TreeFiles(
                tree,
                digest -> {
                    opened++;
                    return new ByteArrayInputStream(stored);
                },
                cache);
        return files.parse(files.file("/a").orElseThrow(), parser, most);
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 7);
        return bytes;
    }

    @Test
    void aContentIsParsedOnceByEqualParsers() throws Exception {
        Parsed<Integer> first = parse(bytes(100), bytes(100), new Head(10), ROOM);
        assertThat(parse(bytes(100), bytes(100), new Head(10), ROOM)).isEqualTo(first);
        assertThat(opened).isEqualTo(1);
        assertThat(parse(bytes(100), bytes(100), new Head(20), ROOM)).isNotEqualTo(first);
        assertThat(parse(bytes(101), bytes(101), new Head(10), ROOM)).isEqualTo(first);
        assertThat(opened).isEqualTo(3);
    }

    @Test
    void limitsCountWhatIsNotReadAgain() throws Exception {
        parse(bytes(100), bytes(100), new Head(50), ROOM);
        Parsed<Integer> cut = parse(bytes(100), bytes(100), new Head(50), 20);
        assertThat(cut.read()).isEqualTo(20);
        assertThat(cut.result()).isEqualTo(Arrays.hashCode(bytes(20)));
        assertThat(parse(bytes(100), bytes(100), new Head(50), ROOM).read()).isEqualTo(50);
    }

    @Test
    void whatALimitCutOffIsNotCached() throws Exception {
        parse(bytes(100), bytes(100), new Head(50), 20);
        assertThat(parse(bytes(100), bytes(100), new Head(50), ROOM).result()).isEqualTo(Arrays.hashCode(bytes(50)));
    }

    @Test
    void aShortFileThatIsDamagedEndsTheAnalysis() {
        assertThatThrownBy(() -> parse(bytes(100), bytes(90), new Head(10), ROOM))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("has another digest");
    }

    @Test
    void aLargeFileIsCachedWhenAllOfItWasReadOrIsVerified() throws Exception {
        for (Head parser : new Head[] {new Head(LARGE), new Head(10)}) {
            Parsed<Integer> first = parse(bytes(LARGE), bytes(LARGE), parser, ROOM);
            int before = opened;
            assertThat(parse(bytes(LARGE), bytes(LARGE), parser, ROOM)).isEqualTo(first);
            assertThat(opened).isEqualTo(before);
        }
    }

    @Test
    void aLargeFileThatIsDamagedEndsTheAnalysis() {
        byte[] damaged = bytes(LARGE);
        damaged[LARGE - 1] = 8;
        assertThatThrownBy(() -> parse(bytes(LARGE), damaged, new Head(10), ROOM))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("has another digest");
        // Bytes behind the end are damage, too.
        assertThatThrownBy(() -> parse(bytes(LARGE), bytes(LARGE + 4), new Head(2 * LARGE), ROOM))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("has another digest");
    }

    @Test
    void shortStringsWeighMoreThanTheirSource() {
        assertThat(ContentParser.ofText(String::length).weight(1, 10_000)).isGreaterThan(90_000);
    }

    @Test
    void theCacheIsBounded() throws Exception {
        ParsedContents small = new ParsedContents(10_000);
        for (int i = 1; i < 200; i++) {
            parse(bytes(i), bytes(i), new Head(100), ROOM, small);
            assertThat(small.weight()).isBetween(1L, 10_000L);
        }
        int before = opened;
        parse(bytes(199), bytes(199), new Head(100), ROOM, small);
        assertThat(opened).isEqualTo(before);
        ParsedContents none = new ParsedContents(0);
        parse(bytes(100), bytes(100), new Head(10), ROOM, none);
        assertThat(none.weight()).isZero();
    }
}
