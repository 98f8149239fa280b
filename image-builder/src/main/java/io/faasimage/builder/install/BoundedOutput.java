package io.faasimage.builder.install;

import io.faasimage.builder.secret.MaskedInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file with the output of a process: the beginning as it arrives, and of anything beyond a limit only the end. */
final class BoundedOutput {
    private static final System.Logger LOG = System.getLogger(BoundedOutput.class.getName());
    private static final int BUFFER = 8192;
    private static final int END = 32 << 10;
    private static final int TAIL_CHARS = 8 << 10;

    private final Thread thread;

    private BoundedOutput(Thread thread) {
        this.thread = thread;
    }

    /** Collects on a platform thread: reading a pipe blocks a carrier of virtual threads as long as the build runs. */
    static BoundedOutput collect(Process process, Path file, int limit, List<byte[]> secrets) {
        return new BoundedOutput(Thread.ofPlatform()
                .name("build-output")
                .daemon()
                .start(() -> pump(new MaskedInput(process.getInputStream(), secrets), file, limit)));
    }

    private static void pump(InputStream in, Path file, int limit) {
        try (in) {
            try (OutputStream out = Files.newOutputStream(file)) {
                pump(in, out, limit);
            } catch (IOException e) {
                // The process must not wait for us because our disk is full.
                LOG.log(System.Logger.Level.WARNING, "could not keep the output of a build in {0}: {1}", file, e);
                in.transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the output of a build ended early: {0}", e.toString());
        }
    }

    /** Copies {@code in}; beyond {@code limit} bytes only the last ones, after a line that says so. */
    static void pump(InputStream in, OutputStream out, int limit) throws IOException {
        byte[] buffer = new byte[BUFFER];
        ByteArrayOutputStream end = new ByteArrayOutputStream();
        long left = limit;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            int kept = (int) Math.min(n, left);
            out.write(buffer, 0, kept);
            left -= kept;
            end.write(buffer, kept, n - kept);
            if (end.size() > 2 * END) {
                byte[] all = end.toByteArray();
                end.reset();
                end.write(all, all.length - END, END);
            }
        }
        if (end.size() > 0) {
            out.write("\n... (output omitted) ...\n".getBytes(StandardCharsets.UTF_8));
            end.writeTo(out);
        }
    }

    void join() throws InterruptedException {
        thread.join();
    }

    /** The last lines of what was collected, and of long ones their end. */
    static String tail(Path file, int lines) throws IOException {
        List<String> all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .toList();
        String last = String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        return last.substring(Math.max(0, last.length() - TAIL_CHARS));
    }
}
