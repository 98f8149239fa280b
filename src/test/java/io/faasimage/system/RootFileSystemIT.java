package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A planned image shows exactly the root file system that containerd's own overlayfs snapshotter shows of the same image:
 * every entry's mode, owner, nanosecond times, links, devices, extended attributes and content.
 */
final class RootFileSystemIT {
    @TempDir
    private static Path work;

    private static Cluster cluster;
    private static String image;

    @BeforeAll
    static void planAnAwkwardImage() throws IOException, InterruptedException {
        cluster = Cluster.start();
        Path lower = work.resolve("lower.tar");
        Path upper = work.resolve("upper.tar");
        Shell.run("python3", "images/awkward.py", "/bin/busybox", lower.toString(), upper.toString())
                .ok();
        new TestImage(work)
                .archive(lower)
                .archive(upper)
                .command("cat /app/start.txt; sleep 600 & wait")
                .push(cluster.ociRegistry, "awkward", "1");
        image = cluster.ociRegistry + "/awkward:1";
        cluster.faasimage("register", image).ok();
        cluster.faasimage("trace", image, "--limit", "30").ok();
        cluster.ctr("image", "rm", "--sync", image).ok();
        assertThat(cluster.faasimageJson("pull", image).path("way").asString()).isEqualTo("planned");
        cluster.ctr("-n", "plain", "image", "pull", "--plain-http", image).ok();
    }

    @AfterAll
    static void stopCluster() throws IOException, InterruptedException {
        for (String directory : new String[] {"expected", "actual", "writable"}) {
            Shell.run("umount", work.resolve(directory).toString());
        }
        cluster.close();
    }

    private static Path mount(String directory, String... arguments) throws IOException, InterruptedException {
        Path target = Files.createDirectories(work.resolve(directory));
        String[] command = java.util.Arrays.copyOf(arguments, arguments.length + 2);
        command[arguments.length] = image;
        command[arguments.length + 1] = target.toString();
        cluster.ctr(command).ok();
        return target;
    }

    private static String differences(Path expected, Path actual) throws IOException, InterruptedException {
        // Directories that no archive names have the time at which containerd unpacked them.
        Shell.Result result = Shell.run(
                "python3", "images/compare.py", expected.toString(), actual.toString(), "implicit", "implicit/parents");
        assertThat(result.err()).contains("compared");
        return result.ok();
    }

    @Test
    void everyEntryIsAsTheOverlayfsSnapshotterShowsIt() throws IOException, InterruptedException {
        Path expected = mount("expected", "-n", "plain", "image", "mount");
        Path actual = mount("actual", "image", "mount", "--snapshotter", "faasimage");
        assertThat(differences(expected, actual)).isEmpty();
        Path writable = mount("writable", "image", "mount", "--rw", "--snapshotter", "faasimage");
        assertThat(differences(expected, writable)).isEmpty();
    }
}
