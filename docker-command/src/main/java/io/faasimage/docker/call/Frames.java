package io.faasimage.docker.call;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes between command and daemon. A request is the version, the number of arguments and each with its length; an
 * answer is frames: a byte that tells what it is, a length, content. All numbers are big-endian and 32 bits wide.
 */
public final class Frames {
    /** Frame: the exit code, four bytes; the last one. */
    public static final int EXIT = 0;
    /** Frame: bytes for standard output. */
    public static final int OUT = 1;
    /** Frame: bytes for standard error. */
    public static final int ERR = 2;

    private static final int VERSION = 1;
    private static final int MOST_ARGUMENTS = 4096;
    /** More than a kernel lets a process be started with. */
    private static final int LONGEST_REQUEST = 4 << 20;

    private static final int LONGEST_FRAME = 1 << 20;

    private Frames() {}

    /**
     * One frame of an answer.
     *
     * @param kind one of this class
     * @param content its bytes
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Frame(int kind, byte[] content) {}

    /** Sends the arguments of a command. */
    public static void writeRequest(DataOutputStream out, List<byte[]> arguments) throws IOException {
        out.writeInt(VERSION);
        out.writeInt(arguments.size());
        for (byte[] argument : arguments) {
            out.writeInt(argument.length);
            out.write(argument);
        }
        out.flush();
    }

    /**
     * Reads the arguments of a command.
     *
     * @throws IOException when they are cut, too many or too long, or of another version
     */
    public static List<byte[]> readRequest(DataInputStream in) throws IOException {
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException("the command speaks version " + version + ", the daemon " + VERSION
                    + "; install both from one release");
        }
        int count = bounded(in.readInt(), MOST_ARGUMENTS, "arguments");
        List<byte[]> arguments = new ArrayList<>(count);
        int left = LONGEST_REQUEST;
        for (int i = 0; i < count; i++) {
            byte[] argument = read(in, bounded(in.readInt(), left, "bytes of an argument"));
            left -= argument.length;
            arguments.add(argument);
        }
        return arguments;
    }

    /** Sends one frame. */
    public static void write(DataOutputStream out, int kind, byte[] content, int length) throws IOException {
        out.writeByte(kind);
        out.writeInt(length);
        out.write(content, 0, length);
        out.flush();
    }

    /** Reads one frame. */
    public static Frame read(DataInputStream in) throws IOException {
        int kind = in.readByte();
        return new Frame(kind, read(in, bounded(in.readInt(), LONGEST_FRAME, "bytes of a frame")));
    }

    private static int bounded(int value, int most, String what) throws IOException {
        if (value < 0 || value > most) {
            throw new IOException(value + " " + what + " are not between 0 and " + most);
        }
        return value;
    }

    private static byte[] read(DataInputStream in, int length) throws IOException {
        byte[] content = new byte[length];
        in.readFully(content);
        return content;
    }
}
