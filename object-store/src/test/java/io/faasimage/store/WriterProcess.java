package io.faasimage.store;

import io.faasimage.format.id.Digest;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.Random;

/** A process that publishes a known sequence of objects and says so line by line. */
final class WriterProcess {
    private WriterProcess() {}

    /** Arguments: root, writer's name, number of objects. */
    public static void main(String[] arguments) throws Exception {
        try (ObjectStore store = ObjectStore.open(Path.of(arguments[0]), arguments[1])) {
            System.out.println("ready");
            if (System.in.read() < 0) {
                return;
            }
            for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
                byte[] content = content(i);
                Publication publication =
                        store.publish(Digest.of(content), content.length, new ByteArrayInputStream(content));
                System.out.println(publication);
            }
        }
    }

    /** The n-th object; up to 600,000 bytes. */
    static byte[] content(int n) {
        Random random = new Random(n);
        byte[] content = new byte[random.nextInt(600_000)];
        random.nextBytes(content);
        return content;
    }
}
