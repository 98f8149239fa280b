package io.faasimage.format.erofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.ZstdCompressCtx;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackLayout;
import io.faasimage.format.pack.PackedObject;
import io.faasimage.format.plan.ObjectFrames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mounts pack images with the running kernel and compares every byte. Needs root and Linux 6.15. */
class PackImageIT {
    private static final int FRAME = ObjectFrames.CONTENT_BYTES;

    /** Index of the largest object. */
    private static final int LARGE = 7;

    @TempDir
    Path temp;

    private final List<byte[]> contents = new ArrayList<>();
    private PackLayout layout;
    private byte[] pack = {};
    private String device = "";

    @BeforeEach
    void compress() throws Exception {
        boolean permitted = Mounted.permitted();
        if (!permitted) {
            System.out.println("skipped: mounting needs root");
        }
        assumeTrue(permitted, "mounting needs root");
        Random random = new Random(7);
        for (int size : new int[] {1, 4095, 4096, 4097, FRAME, FRAME + 1, 1_000_003, 5 << 20}) {
            contents.add(content(random, size));
        }
        // So many that directories have blocks of their own, the largest of them two.
        for (int i = 0; i < 13_000; i++) {
            contents.add(("object " + i).getBytes(StandardCharsets.UTF_8));
        }
        List<PackedObject> objects = new ArrayList<>();
        List<byte[]> frames = new ArrayList<>();
        try (ZstdCompressCtx zstd = new ZstdCompressCtx()) {
            zstd.setLevel(9).setChecksum(true);
            for (byte[] content : contents) {
                List<ObjectFrames.Frame> ofObject = new ArrayList<>();
                for (int at = 0; at < content.length; at += FRAME) {
                    byte[] frame = zstd.compress(Arrays.copyOfRange(content, at, Math.min(content.length, at + FRAME)));
                    frames.add(frame);
                    ofObject.add(new ObjectFrames.Frame(frame.length, Digest.of(frame)));
                }
                objects.add(new PackedObject(
                        Digest.of(content), content.length, ObjectFrames.of(content.length, ofObject)));
            }
        }
        layout = PackLayout.of(objects);
        pack = new byte[(int) layout.bytes()];
        for (int i = 0; i < frames.size(); i++) {
            System.arraycopy(frames.get(i), 0, pack, (int) layout.offset(i), frames.get(i).length);
        }
        Path file = temp.resolve("pack");
        try (FileChannel empty = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            empty.write(ByteBuffer.allocate(1), pack.length - 1);
        }
        device = losetup("-r", "-f", "--show", file.toString());
        Files.write(temp.resolve("image"), PackImage.of(layout));
    }

    /** Partly compressible, partly not. */
    private static byte[] content(Random random, int size) {
        byte[] content = new byte[size];
        random.nextBytes(content);
        for (int i = 0; i < size; i++) {
            if (i / 50_000 % 2 == 0) {
                content[i] = (byte) (i / 7);
            }
        }
        return content;
    }

    @AfterEach
    void detach() throws Exception {
        if (!device.isEmpty()) {
            losetup("-d", device);
        }
    }

    private static String losetup(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("losetup"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.strip();
    }

    private Mounted mount() throws IOException {
        return Mounted.at(
                temp.resolve("mnt"),
                "-t",
                "erofs",
                "-o",
                "ro,loop,device=" + device,
                temp.resolve("image").toString());
    }

    private static Path at(Mounted mounted, byte[] content) {
        return mounted.point().resolve(Digest.of(content).objectPath());
    }

    /** An object is an error until its frames are there, never zeros, and right from then on. */
    @Test
    void objectsCanBeReadAsSoonAsTheirFramesAreThere() throws Exception {
        try (Mounted mounted = mount();
                FileChannel file = FileChannel.open(temp.resolve("pack"), StandardOpenOption.WRITE)) {
            for (byte[] content : contents.subList(0, 100)) {
                assertThatThrownBy(() -> Files.readAllBytes(at(mounted, content)))
                        .isInstanceOf(IOException.class);
            }
            file.write(ByteBuffer.wrap(pack), 0);
            file.force(false);
            for (byte[] content : contents) {
                assertThat(Files.readAllBytes(at(mounted, content))).isEqualTo(content);
            }
        }
    }

    @Test
    void theDirectoriesHaveAllObjects() throws Exception {
        try (Mounted mounted = mount();
                Stream<Path> files = Files.walk(mounted.point())) {
            Set<String> names = files.filter(Files::isRegularFile)
                    .map(file -> mounted.point().relativize(file).toString())
                    .collect(Collectors.toSet());
            assertThat(names)
                    .isEqualTo(contents.stream()
                            .map(content -> Digest.of(content).objectPath())
                            .collect(Collectors.toSet()));
        }
    }

    @Test
    void aDamagedFrameIsAnError() throws Exception {
        try (FileChannel file = FileChannel.open(temp.resolve("pack"), StandardOpenOption.WRITE)) {
            int frame = layout.firstFrame(LARGE) + 3;
            pack[(int) layout.offset(frame) + layout.length(frame) / 2] ^= 1;
            file.write(ByteBuffer.wrap(pack), 0);
            file.force(false);
        }
        try (Mounted mounted = mount()) {
            byte[] content = contents.get(LARGE);
            assertThatThrownBy(() -> Files.readAllBytes(at(mounted, content))).isInstanceOf(IOException.class);
            try (FileChannel object = FileChannel.open(at(mounted, content))) {
                ByteBuffer third = ByteBuffer.allocate(FRAME);
                assertThat(object.read(third, 2L * FRAME)).isEqualTo(FRAME);
                assertThat(third.flip()).isEqualTo(ByteBuffer.wrap(content, 2 * FRAME, FRAME));
            }
        }
    }
}
