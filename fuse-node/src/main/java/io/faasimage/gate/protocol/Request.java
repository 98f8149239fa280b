package io.faasimage.gate.protocol;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A request of the kernel.
 *
 * @param unique the number by which it is answered; a resent request has another highest bit
 * @param node the file it is about
 * @param pid the thread that waits; 0 when it is not known here
 * @param operation the operation to do
 */
public record Request(long unique, long node, int pid, Operation operation) {
    /** {@code struct fuse_in_header}. */
    private static final int HEADER = 40;

    private static final int MAX_NAME = 255;

    /** The operations. */
    public sealed interface Operation {
        /** The file {@code name} (a char for each byte) in the directory. */
        record Lookup(String name) implements Operation {}

        /** The attributes of the file. */
        record Attributes() implements Operation {}

        /** How much room the file system has. */
        record Space() implements Operation {}

        /** A number to read the directory by. */
        record OpenDirectory() implements Operation {}

        /**
         * Names in the directory.
         *
         * @param offset where to continue
         * @param size bytes that are wanted at most
         */
        record ReadDirectory(long offset, int size) implements Operation {}

        /** The directory is not read any more. */
        record CloseDirectory() implements Operation {}

        /** The kernel forgets files; there is no reply. */
        record Forget() implements Operation {}

        /** The waiter of the request {@code target} got a signal; there is no reply. */
        record Interrupt(long target) implements Operation {}

        /**
         * The first request.
         *
         * @param major version of the protocol
         * @param minor version of the protocol
         * @param readAhead bytes
         * @param flags the kernel's features
         */
        record Start(int major, int minor, int readAhead, long flags) implements Operation {}

        /** The last request. */
        record End() implements Operation {}

        /** Anything else. */
        record Unknown(int opcode) implements Operation {}
    }

    /** Parses the result of one read of the device, from position to limit. */
    public static Request parse(ByteBuffer bytes) throws ProtocolException {
        ByteBuffer in = bytes.slice().order(ByteOrder.nativeOrder());
        int size = in.remaining();
        if (size < HEADER) {
            throw new ProtocolException("a request of " + size + " bytes has no header");
        }
        int length = in.getInt();
        if (length != size) {
            throw new ProtocolException("a request of " + size + " bytes says that it has " + length);
        }
        int opcode = in.getInt();
        long unique = in.getLong();
        long node = in.getLong();
        int pid = in.position(32).getInt();
        in.position(HEADER);
        try {
            return new Request(unique, node, pid, operation(opcode, in));
        } catch (BufferUnderflowException e) {
            throw new ProtocolException("a request with opcode " + opcode + " is too short: " + size + " bytes");
        }
    }

    private static Operation operation(int opcode, ByteBuffer in) throws ProtocolException {
        return switch (opcode) {
            case 1 -> new Operation.Lookup(name(in));
            case 2, 42 -> new Operation.Forget();
            case 3 -> new Operation.Attributes();
            case 17 -> new Operation.Space();
            case 26 -> start(in);
            case 27 -> new Operation.OpenDirectory();
            case 28 -> readDirectory(in);
            case 29 -> new Operation.CloseDirectory();
            case 36 -> new Operation.Interrupt(in.getLong());
            case 38 -> new Operation.End();
            default -> new Operation.Unknown(opcode);
        };
    }

    private static String name(ByteBuffer in) throws ProtocolException {
        byte[] name = new byte[in.remaining()];
        in.get(name);
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        if (length == 0 || length > MAX_NAME || length == name.length) {
            throw new ProtocolException("a name of " + length + " in " + name.length + " bytes");
        }
        return new String(name, 0, length, StandardCharsets.ISO_8859_1);
    }

    private static Operation readDirectory(ByteBuffer in) throws ProtocolException {
        in.getLong(); // the number from opening
        long offset = in.getLong();
        int size = in.getInt();
        if (offset < 0 || size < 0) {
            throw new ProtocolException("a directory is read at " + offset + " for " + size + " bytes");
        }
        return new Operation.ReadDirectory(offset, size);
    }

    private static Operation start(ByteBuffer in) {
        int major = in.getInt();
        int minor = in.getInt();
        int readAhead = in.getInt();
        long flags = Integer.toUnsignedLong(in.getInt());
        boolean extended = (flags & Session.INIT_EXT) != 0 && in.remaining() >= Integer.BYTES;
        return new Operation.Start(major, minor, readAhead, extended ? flags | (long) in.getInt() << 32 : flags);
    }
}
