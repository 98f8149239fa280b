package io.faasimage.builder.secret;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;

/**
 * An input stream that replaces secrets by {@code ***}. It buffers only bytes that may be the beginning of a secret,
 * until more arrive. For one thread.
 */
public final class MaskedInput extends InputStream {
    private static final byte[] MASK = {'*', '*', '*'};
    private static final int BUFFER = 8192;

    private final InputStream in;
    private final List<byte[]> secrets;
    private final boolean[] first = new boolean[256];
    private byte[] held = {};
    private byte[] ready = {};
    private int position;
    private boolean found;

    /** Masks {@code secrets}, the longest first, in what it reads from {@code in}. */
    public MaskedInput(InputStream in, List<byte[]> secrets) {
        this.in = in;
        this.secrets = secrets;
        secrets.forEach(secret -> first[secret[0] & 0xff] = true);
    }

    /** Whether a stream has one of {@code secrets} in it; it is read to its end, or to the first. */
    public static boolean contains(InputStream in, List<byte[]> secrets) throws IOException {
        MaskedInput masked = new MaskedInput(in, secrets);
        byte[] buffer = new byte[BUFFER];
        while (!masked.found) {
            if (masked.read(buffer, 0, buffer.length) < 0) {
                return masked.found;
            }
        }
        return true;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        while (position == ready.length) {
            byte[] more = new byte[BUFFER];
            int n = in.read(more);
            if (n < 0 && held.length == 0) {
                return -1;
            }
            byte[] all = Arrays.copyOf(held, held.length + Math.max(0, n));
            System.arraycopy(more, 0, all, held.length, Math.max(0, n));
            mask(all, n < 0);
        }
        int n = Math.min(length, ready.length - position);
        System.arraycopy(ready, position, bytes, offset, n);
        position += n;
        return n;
    }

    private void mask(byte[] all, boolean last) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        int plain = 0;
        while (at < all.length) {
            int secret = first[all[at] & 0xff] ? secret(all, at, last) : 0;
            if (secret < 0) {
                break;
            }
            if (secret > 0) {
                out.write(all, plain, at - plain);
                out.writeBytes(MASK);
                found = true;
                plain = at + secret;
            }
            at += Math.max(1, secret);
        }
        out.write(all, plain, at - plain);
        held = Arrays.copyOfRange(all, at, all.length);
        ready = out.toByteArray();
        position = 0;
    }

    /** Bytes of the secret that begins at {@code at}: 0 for none, -1 when one may have begun. */
    private int secret(byte[] all, int at, boolean last) {
        for (byte[] secret : secrets) {
            int n = Math.min(secret.length, all.length - at);
            if (Arrays.equals(all, at, at + n, secret, 0, n)) {
                if (n == secret.length) {
                    return n;
                }
                if (!last) {
                    return -1;
                }
            }
        }
        return 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
