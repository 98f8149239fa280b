package io.faasimage.format.erofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mounts chunked images over two loop devices with the running kernel and compares every byte. Needs root. */
class ChunkedImageIT {
    @TempDir
    Path temp;

    private final Devices devices =
            new Devices(new Random(3), 1, 4096, 65_536, 65_537, 1_000_003, 20 << 20, (5 << 20) + 4097);
    private String pack = "";
    private String rest = "";

    @BeforeEach
    void attach() throws Exception {
        boolean permitted = Mounted.permitted();
        if (!permitted) {
            System.out.println("skipped: mounting needs root");
        }
        assumeTrue(permitted, "mounting needs root");
        devices.writeTo(temp);
        pack = losetup("-r", "-f", "--show", temp.resolve("pack").toString());
        rest = losetup("-r", "-f", "--show", temp.resolve("rest").toString());
    }

    @AfterEach
    void detach() throws Exception {
        for (String device : new String[] {pack, rest}) {
            if (!device.isEmpty()) {
                losetup("-d", device);
            }
        }
    }

    private static String losetup(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = "losetup";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.strip();
    }

    private Mounted mount() throws IOException {
        String options = "ro,loop,device=" + pack + ",device=" + rest;
        return Mounted.at(
                temp.resolve("mnt"),
                "-t",
                "erofs",
                "-o",
                options,
                temp.resolve("image").toString());
    }

    /** Long reads span chunks of both devices, whose bios the kernel must not join. */
    @Test
    void readsOfEveryLengthGiveTheObjects() throws Exception {
        for (int length : new int[] {4096, 65_536, 100_000, 1 << 20}) {
            try (Mounted mounted = mount()) {
                for (byte[] content : devices.contents) {
                    try (FileChannel file = FileChannel.open(at(mounted, content))) {
                        assertReads(file, content, length);
                    }
                }
            }
            Files.delete(temp.resolve("mnt"));
        }
    }

    private static void assertReads(FileChannel file, byte[] content, int length) throws IOException {
        assertThat(file.size()).isEqualTo(content.length);
        ByteBuffer buffer = ByteBuffer.allocate(length);
        for (int at = 0; at < content.length; at += length) {
            int n = Math.min(length, content.length - at);
            buffer.clear();
            while (buffer.position() < n && file.read(buffer, at + (long) buffer.position()) > 0) {
                // Until all that there is was read.
            }
            assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(content, at, n));
        }
    }

    @Test
    void mappedPagesGiveTheObjects() throws Exception {
        try (Mounted mounted = mount();
                Arena arena = Arena.ofConfined()) {
            for (byte[] content : devices.contents) {
                try (FileChannel file = FileChannel.open(at(mounted, content))) {
                    MemorySegment mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, content.length, arena);
                    for (int page : new Random(4)
                            .ints(200, 0, (content.length - 1) / Disk.BLOCK + 1)
                            .toArray()) {
                        assertThat(mapped.get(ValueLayout.JAVA_BYTE, (long) page * Disk.BLOCK))
                                .isEqualTo(content[page * Disk.BLOCK]);
                    }
                    assertThat(mapped.mismatch(MemorySegment.ofArray(content))).isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void overlayTakesItAsDataLayer() throws Exception {
        Path stubs = temp.resolve("stubs.erofs");
        FileTree tree = Trees.empty();
        for (int i = 0; i < devices.contents.size(); i++) {
            byte[] content = devices.contents.get(i);
            Inode inode = Inode.RegularFile.of(Trees.ROOT, content.length, Digest.of(content));
            Trees.put(tree, "file" + i, inode);
        }
        Files.write(stubs, Trees.image(tree));
        try (Mounted mounted = mount();
                Mounted meta = Mounted.at(temp.resolve("meta"), "-t", "erofs", "-o", "ro,loop", stubs.toString());
                Mounted overlay = Mounted.at(
                        temp.resolve("root"),
                        "-t",
                        "overlay",
                        "-o",
                        "ro,metacopy=on,redirect_dir=on,lowerdir=" + meta.point() + "::" + mounted.point(),
                        "overlay")) {
            for (int i = 0; i < devices.contents.size(); i++) {
                assertThat(Files.readAllBytes(overlay.point().resolve("file" + i)))
                        .isEqualTo(devices.contents.get(i));
            }
        }
    }

    private static Path at(Mounted mounted, byte[] content) {
        return mounted.point().resolve(Digest.of(content).objectPath());
    }
}
