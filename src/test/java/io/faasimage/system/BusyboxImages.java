package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.control.node.ImageTraceRequest;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Images of two layers: a busybox root file system that they share, and a few files of their own. */
final class BusyboxImages {
    private static final String START = "cat /app/start.txt; test -f /app/never.txt; sleep 600 & wait";

    private static final int TRACE_SECONDS = 30;
    private static final Duration LIMIT = Duration.ofMinutes(2);

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

    /** Pushes an image with the files below {@code content}, which starts with {@code command}; its reference. */
    String push(String name, String tag, Path content, String command) throws IOException, InterruptedException {
        new TestImage(Files.createDirectories(work.resolve(name + "-layers" + tag)))
                .on(base)
                .layer(content)
                .command(command)
                .push(cluster.ociRegistry, name, tag);
        return cluster.ociRegistry + "/" + name + ":" + tag;
    }

    /** An image that has been registered, traced and refactored, and removed from the node's containerd again. */
    String planned(String name) throws IOException, InterruptedException {
        String image = image(name);
        plan(image, name);
        return image;
    }

    /** Registers an image, has it traced and refactored, and removes it from the node's containerd. */
    void plan(String image, String name) throws IOException, InterruptedException {
        register(image, name);
        cluster.agent
                .control()
                .call(NodeOperations.TRACE, new ImageTraceRequest(image, null, null, false, TRACE_SECONDS, null, null));
        Wait.until(LIMIT, "the plan of " + image, () -> cluster.isPlanned(image));
        forget(image);
    }

    /** Registers an image as a function. */
    void register(String image, String function) throws IOException {
        try (ServiceClient client = cluster.client()) {
            client.register(new FunctionRequest(function, image, null, null));
        }
    }

    /** Starts a container of an image that was made as {@code name} and has been pulled, and reads its files. */
    void starts(String image, String name) throws IOException, InterruptedException {
        cluster.containers.runWaiting(image, name);
        assertThat(cluster.containers
                        .exec(name, "cat /app/start.txt /app/never.txt /etc/shared.conf")
                        .ok())
                .isEqualTo("read at the start of " + name + "\nnot read at the start of " + name
                        + "\nof the base layer\n");
        cluster.containers.remove(name);
    }

    void forget(String image) throws IOException, InterruptedException {
        cluster.containers.ctr("image", "rm", "--sync", image).ok();
    }
}
