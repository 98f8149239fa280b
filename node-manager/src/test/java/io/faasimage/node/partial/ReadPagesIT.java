package io.faasimage.node.partial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.PageCache;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real mounts over loop devices; needs root. */
class ReadPagesIT {
    @TempDir
    Path temp;

    private final Random random = new Random(5);
    private final List<byte[]> contents = new ArrayList<>();

    @AfterEach
    void remove() throws IOException {
        PartialMount.remove(temp.resolve("view"));
        assertThat(MountTable.read().below(temp.toRealPath())).isEmpty();
        assertThat(temp.resolve("view")).doesNotExist();
    }

    private WholeObject object(int size) throws IOException {
        byte[] content = new byte[size];
        random.nextBytes(content);
        contents.add(content);
        Digest digest = Digest.of(content);
        return new WholeObject(digest, size, Files.write(temp.resolve(digest.hex()), content));
    }

    private ReadPages mount(WholeObject... objects) throws IOException {
        return ReadPages.mount(temp.toRealPath().resolve("view"), List.of(objects));
    }

    @Test
    void thePagesThatWereReadAndMappedAndNoOthers() throws Exception {
        int page = PageCache.pageBytes();
        WholeObject read = object((4 << 20) + 5000);
        WholeObject mapped = object(20 << 20);
        WholeObject unread = object((4 << 20) + 1);
        ReadPages pages = mount(read, mapped, unread);
        assertThat(pages.of(read.digest())).contains(List.of());
        try (FileChannel file =
                        FileChannel.open(pages.point().resolve(read.digest().objectPath()));
                FileChannel other =
                        FileChannel.open(pages.point().resolve(mapped.digest().objectPath()));
                Arena arena = Arena.ofConfined()) {
            file.read(ByteBuffer.allocate(2 * page), 7L * page + 1);
            file.read(ByteBuffer.allocate(1), read.size() - 1);
            MemorySegment memory = other.map(FileChannel.MapMode.READ_ONLY, 0, mapped.size(), arena);
            assertThat(memory.get(ValueLayout.JAVA_BYTE, 100L * page)).isEqualTo(contents.get(1)[100 * page]);
            assertThat(memory.get(ValueLayout.JAVA_BYTE, 900L * page)).isEqualTo(contents.get(1)[900 * page]);
        }
        long last = (read.size() - 1) / page * page;
        assertThat(pages.of(read.digest()))
                .contains(List.of(new ByteRange(7L * page, 3L * page), new ByteRange(last, read.size() - last)));
        assertThat(pages.of(mapped.digest()))
                .contains(List.of(new ByteRange(100L * page, page), new ByteRange(900L * page, page)));
        assertThat(pages.of(unread.digest())).contains(List.of());
        assertThat(pages.of(Digest.of(new byte[] {1}))).isEmpty();
    }

    @Test
    void whatItShowsAreTheObjects() throws Exception {
        WholeObject[] objects = {object(4 << 20), object((4 << 20) + 4095), object((9 << 20) + 65_536)};
        ReadPages pages = mount(objects);
        for (int i = 0; i < objects.length; i++) {
            assertThat(Files.readAllBytes(
                            pages.point().resolve(objects[i].digest().objectPath())))
                    .isEqualTo(contents.get(i));
            assertThat(pages.of(objects[i].digest())).contains(List.of(new ByteRange(0, objects[i].size())));
        }
    }

    @Test
    void anObjectThatIsTooShortIsNotMounted() throws Exception {
        WholeObject object = object(4 << 20);
        WholeObject longer = new WholeObject(object.digest(), object.size() + (1 << 20), object.file());
        assertThatThrownBy(() -> mount(longer))
                .hasMessageContaining(object.file().toString());
        assertThat(MountTable.read().below(temp.toRealPath())).isEmpty();
    }
}
