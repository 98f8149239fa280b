package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** Images of two layers: a busybox root file system that they share, and a few files of their own. */
final class BusyboxImages {
    private static final String START = "cat /app/start.txt; test -f /app/never.txt; sleep 600 & wait";

    private final Cluster cluster;
    private final Path work;
    private final TestImage base;

    /** Images for {@code cluster}, made below {@code work}. */
    BusyboxImages(Cluster cluster, Path work) throws IOException, InterruptedException {
        this.cluster = cluster;
        this.work = work;
        Path root = Files.createDirectories(work.resolve("base"));
        Files.createDirectories(root.resolve("bin"));
        Files.createDirectories(root.resolve("etc"));
        Files.createDirectories(root.resolve("tmp"));
        Files.copy(Path.of("/bin/busybox"), root.resolve("bin/busybox"));
        Shell.run(
                root.resolve("bin/busybox").toString(),
                "--install",
                "-s",
                root.resolve("bin").toString());
        for (String applet : new String[] {"sh", "cat", "sleep", "ls", "sha256sum", "chown"}) {
            Path link = root.resolve("bin").resolve(applet);
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, Path.of("busybox"));
        }
        Files.writeString(root.resolve("etc/passwd"), "root:x:0:0:root:/:/bin/sh\n");
        Files.writeString(root.resolve("etc/shared.conf"), "of the base layer\n");
        base = new TestImage(Files.createDirectories(work.resolve("base-layers"))).layer(root);
    }

    /** Builds and pushes an image with its own content; its reference. */
    String image(String name) throws IOException, InterruptedException {
        Path app = Files.createDirectories(work.resolve(name).resolve("app"));
        Files.writeString(app.resolve("start.txt"), "read at the start of " + name + "\n");
        Files.writeString(app.resolve("never.txt"), "not read at the start of " + name + "\n");
        for (int i = 0; i < 8; i++) {
            Files.writeString(app.resolve("late" + i + ".txt"), "late " + i + " of " + name + "\n");
        }
        Files.writeString(app.resolve("with space é.txt"), "odd name in " + name + "\n");
        Shell.run("sh", "-c", "printf 'raw bytes' > \"$(printf '" + app + "/\\377\\376.bin')\"")
                .ok();
        return push(name, "1", work.resolve(name), START);
    }

    /** Pushes an image with what is below {@code content}, which starts with {@code command}; its reference. */
    String push(String name, String tag, Path content, String command) throws IOException, InterruptedException {
        new TestImage(Files.createDirectories(work.resolve(name + "-layers" + tag)))
                .on(base)
                .layer(content)
                .command(command)
                .push(cluster.ociRegistry, name, tag);
        return cluster.ociRegistry + "/" + name + ":" + tag;
    }

    /** An image that has been registered, traced and refactored, and is gone from the node's containerd again. */
    String planned(String name) throws IOException, InterruptedException {
        String image = image(name);
        plan(image, name);
        return image;
    }

    /** Registers an image, has it traced and refactored, and removes it from the node's containerd. */
    void plan(String image, String name) throws IOException, InterruptedException {
        cluster.faasimage("register", image, "--name", name).ok();
        JsonNode traced = cluster.faasimageJson("trace", image, "--limit", "30");
        assertThat(traced.path("image").path("state").asString()).isEqualTo("PLANNED");
        forget(image);
    }

    void forget(String image) throws IOException, InterruptedException {
        cluster.containers.ctr("image", "rm", "--sync", image).ok();
    }
}
