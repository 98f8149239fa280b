package io.faasimage.gate.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The bytes of replies and notifications. */
public final class Reply {
    /** {@code struct fuse_out_header}. */
    private static final int HEADER = 16;

    private static final int ATTRIBUTES = 88;
    private static final int INIT = 64;
    private static final int SPACE = 80;
    private static final int OPEN = 16;
    /** A directory's entry: {@code struct fuse_dirent} and a name of up to 8 bytes. */
    private static final int ENTRY = 32;

    private static final int DIRECTORY_MODE = 0040500;
    private static final byte DIRECTORY_TYPE = 4;
    private static final int MAX_NAME = 255;
    private static final int BLOCK = 4096;
    private static final int NOTIFY_RESEND = 7;
    /** Directories never change. */
    private static final long VALID_SECONDS = 86_400;

    private Reply() {}

    /** A message with a header and {@code body} bytes of zeros. */
    private static byte[] message(long unique, int error, int body) {
        byte[] message = new byte[HEADER + body];
        ByteBuffer.wrap(message)
                .order(ByteOrder.nativeOrder())
                .putInt(HEADER + body)
                .putInt(error)
                .putLong(unique);
        return message;
    }

    private static ByteBuffer body(byte[] message) {
        return ByteBuffer.wrap(message).order(ByteOrder.nativeOrder()).position(HEADER);
    }

    /** Done, with nothing to say. */
    public static byte[] done(long unique) {
        return message(unique, 0, 0);
    }

    /** It failed with this errno, positive. Nothing of it is remembered by the kernel. */
    public static byte[] failed(long unique, int errno) {
        return message(unique, -errno, 0);
    }

    /** The looked-up name is the directory {@code node}. */
    public static byte[] entry(long unique, long node) {
        byte[] reply = message(unique, 0, 40 + ATTRIBUTES);
        ByteBuffer out =
                body(reply).putLong(node).putLong(0).putLong(VALID_SECONDS).putLong(VALID_SECONDS);
        putDirectory(out.position(HEADER + 40), node);
        return reply;
    }

    /** The attributes of the directory {@code node}. */
    public static byte[] attributes(long unique, long node) {
        byte[] reply = message(unique, 0, 16 + ATTRIBUTES);
        putDirectory(body(reply).putLong(VALID_SECONDS).position(HEADER + 16), node);
        return reply;
    }

    /** {@code struct fuse_attr}: inode, sizes and times of zero, mode, links, owner root. */
    private static void putDirectory(ByteBuffer out, long node) {
        int begin = out.position();
        out.putLong(node);
        out.position(begin + 60).putInt(DIRECTORY_MODE).putInt(2);
        out.position(begin + 80).putInt(BLOCK);
    }

    /** The answer to the first request; the limits of background requests are the kernel's own. */
    public static byte[] started(long unique, Session session) {
        byte[] reply = message(unique, 0, INIT);
        body(reply)
                .putInt(Session.MAJOR)
                .putInt(session.minor())
                .putInt(session.readAhead())
                .putInt((int) session.flags())
                .putInt(0)
                .putInt(BLOCK) // the largest write
                .putInt(1) // nanoseconds are the grain of times
                .putInt(0)
                .putInt((int) (session.flags() >>> 32));
        return reply;
    }

    /** No room is left, and names may be as long as usual. */
    public static byte[] space(long unique) {
        byte[] reply = message(unique, 0, SPACE);
        body(reply).position(HEADER + 40).putInt(BLOCK).putInt(MAX_NAME).putInt(BLOCK);
        return reply;
    }

    /** A directory may be read; there is nothing to remember of it. */
    public static byte[] opened(long unique) {
        return message(unique, 0, OPEN);
    }

    /** The names in a directory, which shows itself and its parent only. */
    public static byte[] names(long unique, long node, Request.Operation.ReadDirectory wanted) {
        int first = (int) Math.min(wanted.offset(), 2);
        int count = Math.min(2 - first, wanted.size() / ENTRY);
        byte[] reply = message(unique, 0, count * ENTRY);
        ByteBuffer out = body(reply);
        for (int i = first + 1; i <= first + count; i++) {
            out.putLong(node).putLong(i).putInt(i).putInt(DIRECTORY_TYPE);
            out.put(".".repeat(i).getBytes(StandardCharsets.US_ASCII)).position(out.position() + 8 - i);
        }
        return reply;
    }

    /** Has the kernel send again all requests that were read and not answered. */
    public static byte[] resend() {
        return message(0, NOTIFY_RESEND, 0);
    }
}
