package io.faasimage.builder.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.builder.fault.BuildException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives as users and attackers make them. */
class FunctionArchiveTest {
    private static final ArchiveLimits LIMITS = new ArchiveLimits(100_000, 20);

    @TempDir
    private Path work;

    private Path into() throws IOException {
        return Files.createDirectories(work.resolve("inner/function"));
    }

    private void unpack(byte[] archive) throws IOException {
        FunctionArchive.unpack(Files.write(work.resolve("archive"), archive), into(), LIMITS);
    }

    private static TarArchiveEntry file(String name, int size) {
        TarArchiveEntry entry = new TarArchiveEntry(name, true);
        entry.setSize(size);
        return entry;
    }

    private static TarArchiveEntry link(byte kind, String name, String target) {
        TarArchiveEntry entry = new TarArchiveEntry(name, kind, true);
        entry.setLinkName(target);
        return entry;
    }

    private static byte[] tar(TarArchiveEntry... entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            for (TarArchiveEntry entry : entries) {
                tar.putArchiveEntry(entry);
                tar.write(new byte[(int) entry.getSize()]);
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] zip(String name, int mode, byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(bytes)) {
            ZipArchiveEntry entry = new ZipArchiveEntry(name);
            entry.setUnixMode(mode);
            zip.putArchiveEntry(entry);
            zip.write(content);
            zip.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }

    @Test
    void aTarIsUnpackedWithItsLinksAndWhatMayBeExecuted() throws IOException {
        TarArchiveEntry program = file("bin/run", 3);
        program.setMode(0755);
        unpack(tar(
                file("./handler.py", 5),
                program,
                link(TarConstants.LF_SYMLINK, "bin/same", "../bin/run"),
                link(TarConstants.LF_LINK, "copy.py", "handler.py")));
        assertThat(into().resolve("handler.py")).hasSize(5);
        assertThat(into().resolve("copy.py")).hasSize(5);
        assertThat(into().resolve("bin/same")).isSymbolicLink().hasSize(3);
        assertThat(Files.isExecutable(into().resolve("bin/run"))).isTrue();
        assertThat(Files.getPosixFilePermissions(into().resolve("handler.py"))).hasSize(4);
    }

    @Test
    void aZipIsUnpackedWithItsLinks() throws IOException {
        unpack(zip("handler.js", 0100755, new byte[7]));
        assertThat(Files.isExecutable(into().resolve("handler.js"))).isTrue();
        assertThatThrownBy(() -> unpack(zip("out", 0120777, "../../secret".getBytes(StandardCharsets.UTF_8))))
                .hasMessageContaining("is a symbolic link that leads out of the function's directory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "a/../../x", "/etc/x", "a\\..\\x", "C:/x", "a\nb", ".wh.x", "a/.wh..wh..opq"})
    void aNameThatLeadsElsewhereIsRefused(String name) throws IOException {
        for (byte[] archive : List.of(tar(file(name, 1)), zip(name, 0100644, new byte[1]))) {
            assertThatThrownBy(() -> unpack(archive))
                    .isInstanceOf(BuildException.class)
                    .hasMessageStartingWith("the archive's entry '");
        }
        assertThat(into()).isEmptyDirectory();
        assertThat(work.resolve("inner")).isDirectoryNotContaining("glob:**/x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc", "..", "a/../../..", "../function/../..", ""})
    void aLinkOutIsRefused(String target) throws IOException {
        byte[] archive = tar(link(TarConstants.LF_SYMLINK, "a", target));
        assertThatThrownBy(() -> unpack(archive)).isInstanceOf(BuildException.class);
    }

    @Test
    void nothingIsWrittenThroughALinkOrOverAnotherEntry() throws IOException {
        byte[] through = tar(link(TarConstants.LF_SYMLINK, "d", "e"), file("d/x", 1));
        assertThatThrownBy(() -> unpack(through)).hasMessageContaining("lies below something that is a file or a link");
        byte[] hard = tar(link(TarConstants.LF_LINK, "h", "nowhere"));
        assertThatThrownBy(() -> unpack(hard)).hasMessageContaining("which is no file before it");
        byte[] twice = tar(file("t", 1), file("t", 1));
        assertThatThrownBy(() -> unpack(twice)).hasMessageContaining("exists twice");
        byte[] device = tar(new TarArchiveEntry("dev", TarConstants.LF_BLK));
        assertThatThrownBy(() -> unpack(device)).hasMessageContaining("is a device");
    }

    @Test
    void aBombIsStoppedAtTheLimit() throws IOException {
        assertThatThrownBy(() -> unpack(zip("zeros", 0100644, new byte[10_000_000])))
                .hasMessageContaining("more than 100000 bytes unpacked, at its entry 'zeros'")
                .extracting(e -> ((BuildException) e).kind())
                .isEqualTo(BuildException.Kind.TOO_LARGE);
        assertThat(Files.size(into().resolve("zeros"))).isLessThanOrEqualTo(100_000);
        TarArchiveEntry[] many = new TarArchiveEntry[30];
        Arrays.setAll(many, i -> file("f" + i, 0));
        assertThatThrownBy(() -> unpack(tar(many))).hasMessageContaining("more than 20 entries");
        assertThatThrownBy(() -> unpack(tar(file("a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u", 0))))
                .hasMessageContaining("more than 20 entries");
    }

    /** The directory of a zip is read whole before its first entry. */
    @Test
    void aZipWithALargeDirectoryIsRefusedBeforeItIsRead() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(bytes)) {
            for (int i = 0; i < 20_000; i++) {
                zip.putArchiveEntry(new ZipArchiveEntry("f" + i));
                zip.closeArchiveEntry();
            }
        }
        assertThatThrownBy(() -> unpack(bytes.toByteArray()))
                .hasMessageContaining("the zip's directory has more than 261120 bytes")
                .extracting(e -> ((BuildException) e).kind())
                .isEqualTo(BuildException.Kind.TOO_LARGE);
        assertThat(into()).isEmptyDirectory();
    }

    @Test
    void aTarWithALongNameIsRefusedBeforeItIsRead() throws IOException {
        TarArchiveEntry name = new TarArchiveEntry("././@LongLink", TarConstants.LF_GNUTYPE_LONGNAME);
        name.setSize(2 << 20);
        byte[] archive = tar(name);
        assertThatThrownBy(() -> unpack(archive))
                .isInstanceOf(BuildException.class)
                .hasMessageContaining("the limit is 1048576");
    }

    @Test
    void whatIsNoArchiveOrCutOffSaysSo() throws IOException {
        byte[] whole = tar(file("handler.py", 5000));
        for (byte[] archive : List.of(
                "hello".getBytes(StandardCharsets.UTF_8), new byte[0], Arrays.copyOf(whole, whole.length / 2))) {
            assertThatThrownBy(() -> unpack(archive))
                    .isInstanceOf(BuildException.class)
                    .hasMessageContaining("send a zip or a tar");
        }
    }
}
