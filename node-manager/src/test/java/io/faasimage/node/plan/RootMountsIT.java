package io.faasimage.node.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.linux.Mounts;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel's mount table says of planned root file systems. Needs root. */
class RootMountsIT {
    @TempDir
    private Path root;

    @Test
    void aPlanIsUsedWhileAnOverlayLiesOnIt() throws IOException {
        RootMounts mounts = new RootMounts(root, true, new Events(10, InstantSource.system()));
        ChainId used = chain(1);
        ChainId nested = chain(2);
        ChainId idle = chain(3);
        String meta = directory("mounts/meta", used) + "::" + Files.createDirectories(root.resolve("objects"));
        String inner = directory("layer", used) + ":" + directory("mounts/nested", nested);
        directory("mounts/meta", idle);
        Path first = Files.createDirectories(root.resolve("first"));
        Path second = Files.createDirectories(root.resolve("second"));
        Mounts.mount("overlay", first, "overlay", Mounts.RDONLY, "lowerdir=" + meta + ",metacopy=on");
        try {
            assertThat(mounts.used(List.of(used, nested, idle))).isEqualTo(Set.of(used));
            Mounts.mount("overlay", second, "overlay", Mounts.RDONLY, "lowerdir=" + inner);
            assertThat(mounts.used(List.of(used, nested, idle))).isEqualTo(Set.of(used, nested));
            Mounts.detach(second);
        } finally {
            Mounts.detach(first);
        }
        assertThat(mounts.used(List.of(used, nested, idle))).isEmpty();
    }

    private String directory(String parent, ChainId chain) throws IOException {
        return Files.createDirectories(
                        root.resolve(parent).resolve(chain.digest().hex().substring(0, 12)))
                .toString();
    }

    private static ChainId chain(int i) {
        return new ChainId(Digest.of(new byte[] {(byte) i}));
    }
}
