package io.faasimage.api.trust;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The warm-up of the cipher of TLS. Interpreted, AES-GCM encrypts some ten megabytes per second, and the first bundles
 * would be sent, or received, at that rate. Calls the cipher as the JVM's TLS does, in place in a buffer, since that is
 * other code than for arrays. Ends when the JVM has compiled it, or after a bounded time; the launchers' flags let it
 * be compiled early.
 */
public final class CipherWarmUp {
    private static final Logger LOG = System.getLogger(CipherWarmUp.class.getName());
    private static final int RECORD = 16 << 10;
    private static final int BATCH = 64;
    private static final int TAG_BITS = 128;
    private static final int IV_BYTES = 12;
    private static final Duration LONGEST = Duration.ofSeconds(2);
    /** A compiled cipher needs a tenth of that for a batch of a megabyte. */
    private static final Duration FAST = Duration.ofMillis(10);
    /**
     * So many fast batches in a row mean that it is compiled. The code that encrypts a record's blocks is compiled
     * after a few of them; the code that runs once for a record, and takes C2 half a second, after some thousand
     * records.
     */
    private static final int ENOUGH = 64;

    private final Cipher encrypt = Cipher.getInstance("AES/GCM/NoPadding");
    private final Cipher decrypt = Cipher.getInstance("AES/GCM/NoPadding");
    private final SecretKeySpec key = new SecretKeySpec(new byte[32], "AES");
    private final ByteBuffer buffer = ByteBuffer.allocate(RECORD + TAG_BITS / Byte.SIZE);
    private long records;

    private CipherWarmUp() throws GeneralSecurityException {}

    /** Begins in the background. Returns at once. */
    public static void start() {
        Thread.ofPlatform().daemon().name("cipher-warm-up").start(CipherWarmUp::run);
    }

    /** Runs on this thread, for two seconds at most. */
    public static void run() {
        long begin = System.nanoTime();
        try {
            CipherWarmUp warmUp = new CipherWarmUp();
            int fast = 0;
            while (fast < ENOUGH && System.nanoTime() - begin < LONGEST.toNanos()) {
                long before = System.nanoTime();
                warmUp.batch();
                fast = System.nanoTime() - before < FAST.toNanos() ? fast + 1 : 0;
            }
            LOG.log(
                    Level.DEBUG,
                    "the cipher of TLS is warm after " + warmUp.records + " records and "
                            + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
        } catch (GeneralSecurityException e) {
            LOG.log(Level.WARNING, "the first transfers over TLS will be slow: " + e.getMessage());
        }
    }

    /** A record of TLS is encrypted with a nonce of its own and a header of five bytes (RFC 8446, 5.2). */
    private void batch() throws GeneralSecurityException {
        byte[] header = new byte[5];
        for (int i = 0; i < BATCH; i++) {
            byte[] nonce = new byte[IV_BYTES];
            long number = records++;
            for (int at = 0; at < Long.BYTES; at++) {
                nonce[at] = (byte) (number >>> (Byte.SIZE * at));
            }
            GCMParameterSpec parameters = new GCMParameterSpec(TAG_BITS, nonce);
            encrypt.init(Cipher.ENCRYPT_MODE, key, parameters);
            encrypt.updateAAD(header);
            ByteBuffer plain = buffer.clear().duplicate().limit(RECORD);
            encrypt.doFinal(plain, buffer);
            decrypt.init(Cipher.DECRYPT_MODE, key, parameters);
            decrypt.updateAAD(header);
            ByteBuffer opened = buffer.flip().duplicate();
            decrypt.doFinal(buffer, opened);
        }
    }
}
