package io.faasimage.format.erofs;

import io.faasimage.format.id.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Objects over two devices for tests: every third chunk and the last one in the first device, everything in the second,
 * where addresses begin well behind the end of the first.
 */
final class Devices {
    static final int CHUNK = 65_536;
    private static final int GAP_BLOCKS = 256;

    final List<byte[]> contents = new ArrayList<>();
    final ByteArrayOutputStream pack = new ByteArrayOutputStream();
    final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    final ChunkedImage image;
    private final long restBlock;

    /** Of objects of these sizes, with content from {@code random}. */
    Devices(Random random, int... sizes) {
        long restBegin = GAP_BLOCKS;
        for (int size : sizes) {
            byte[] content = new byte[size];
            random.nextBytes(content);
            contents.add(content);
            restBegin += Disk.roundUp(size, Disk.BLOCK) / Disk.BLOCK;
        }
        List<ChunkedFile> files = new ArrayList<>();
        for (byte[] content : contents) {
            files.add(new ChunkedFile(Digest.of(content), content.length, place(content, restBegin)));
        }
        image = new ChunkedImage(
                CHUNK, List.of((long) pack.size() / Disk.BLOCK, restBegin + (long) rest.size() / Disk.BLOCK), files);
        restBlock = restBegin;
    }

    private List<ChunkRun> place(byte[] content, long restBegin) {
        List<ChunkRun> runs = new ArrayList<>();
        long base = restBegin + rest.size() / Disk.BLOCK;
        int chunks = (content.length - 1) / CHUNK + 1;
        for (int chunk = 0; chunk < chunks; chunk++) {
            int from = chunk * CHUNK;
            int length = Math.min(CHUNK, content.length - from);
            if (chunk % 3 == 0 || chunk == chunks - 1) {
                runs.add(new ChunkRun(1, 1, pack.size() / Disk.BLOCK));
                append(pack, content, from, length);
            } else {
                runs.add(new ChunkRun(1, 2, base + (long) chunk * (CHUNK / Disk.BLOCK)));
            }
        }
        append(rest, content, 0, content.length);
        return runs;
    }

    private static void append(ByteArrayOutputStream out, byte[] bytes, int from, int length) {
        out.write(bytes, from, length);
        out.writeBytes(new byte[(int) Disk.roundUp(length, Disk.BLOCK) - length]);
    }

    byte[] bytes() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ErofsWriter.write(image, out);
        return out.toByteArray();
    }

    /** Writes image and devices into {@code directory}. */
    void writeTo(Path directory) throws IOException {
        Files.write(directory.resolve("image"), bytes());
        Files.write(directory.resolve("pack"), pack.toByteArray());
        try (FileChannel file =
                FileChannel.open(directory.resolve("rest"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(rest.toByteArray()), restBlock * Disk.BLOCK);
        }
    }
}
