package io.faasimage.registry;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import java.util.Random;

/**
 * Content of one object of a test.
 *
 * @param bytes raw
 * @param digest of them, computed once: test JVMs stop at C1, which hashes slowly
 * @param segment that it belongs to
 * @param startup whether it is in the start-up set
 */
@SuppressWarnings("ArrayRecordComponent")
public record TestContent(byte[] bytes, Digest digest, Segment segment, boolean startup) {
    /** Content of these bytes. */
    public TestContent(byte[] bytes, Segment segment, boolean startup) {
        this(bytes, Digest.of(bytes), segment, startup);
    }

    /** Half random, half zero bytes, the same for the same seed. */
    public static TestContent of(long seed, int size, Segment segment, boolean startup) {
        byte[] bytes = new byte[size];
        byte[] random = new byte[(size + 1) / 2];
        new Random(seed).nextBytes(random);
        System.arraycopy(random, 0, bytes, 0, random.length);
        return new TestContent(bytes, segment, startup);
    }
}
