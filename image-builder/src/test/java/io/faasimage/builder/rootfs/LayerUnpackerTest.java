package io.faasimage.builder.rootfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layers above each other, hostile ones included. */
class LayerUnpackerTest {
    @TempDir
    private Path work;

    /** A layer of {@code name=content} files, {@code name->target} links and {@code name/} directories. */
    private static ByteArrayInputStream layer(String... entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            for (String text : entries) {
                int link = text.indexOf("->");
                int equals = text.indexOf('=');
                if (link > 0) {
                    TarArchiveEntry entry = new TarArchiveEntry(text.substring(0, link), TarConstants.LF_SYMLINK);
                    entry.setLinkName(text.substring(link + 2));
                    put(tar, entry, "");
                } else if (equals > 0) {
                    put(tar, new TarArchiveEntry(text.substring(0, equals)), text.substring(equals + 1));
                } else {
                    put(tar, new TarArchiveEntry(text), "");
                }
            }
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        entry.setSize(bytes.length);
        entry.setIds(0, 0);
        tar.putArchiveEntry(entry);
        tar.write(bytes);
        tar.closeArchiveEntry();
    }

    @Test
    void laterLayersReplaceAndDelete() throws IOException {
        Path root = Files.createDirectory(work.resolve("root"));
        LayerUnpacker unpacker = new LayerUnpacker(root, 1000);
        unpacker.unpack(layer("etc/", "etc/a=1", "etc/b=2", "opt/x/y=3", "opt/z=4", "bin->usr/bin"), "one");
        unpacker.unpack(layer("etc/.wh.a=", "etc/b=new", "opt/.wh..wh..opq=", "opt/own=5", "bin/sh=6"), "two");
        assertThat(root.resolve("etc/a")).doesNotExist();
        assertThat(root.resolve("etc/b")).hasContent("new");
        assertThat(root.resolve("opt/z")).doesNotExist();
        assertThat(root.resolve("opt/x")).doesNotExist();
        assertThat(root.resolve("opt/own")).hasContent("5");
        assertThat(root.resolve("usr/bin/sh")).hasContent("6");
    }

    @Test
    void nothingIsWrittenOutsideOfTheRoot() throws IOException {
        Path root = Files.createDirectory(work.resolve("root"));
        Path victim = Files.createDirectory(work.resolve("victim"));
        LayerUnpacker unpacker = new LayerUnpacker(root, 1000);
        unpacker.unpack(layer("abs->" + victim, "up->../../victim", "abs/x=1", "up/y=2", "../z=3", "/w=4"), "hostile");
        unpacker.unpack(layer("abs/.wh.x=", ".wh.up="), "hostile too");
        assertThat(victim).isEmptyDirectory();
        assertThat(work.resolve("z")).doesNotExist();
        assertThat(root.resolve("w")).hasContent("4");
        assertThat(root.resolve("victim/y")).hasContent("2");
    }

    @Test
    void aRingOfLinksAndTooManyBytesAreRefused() throws IOException {
        LayerUnpacker unpacker = new LayerUnpacker(Files.createDirectory(work.resolve("root")), 10);
        assertThatThrownBy(() -> unpacker.unpack(layer("a->b", "b->a", "a/x=1"), "ring"))
                .hasMessageContaining("unusable path");
        assertThatThrownBy(() -> unpacker.unpack(layer("big=12345678901"), "big"))
                .hasMessageContaining("more than 10 bytes");
    }
}
