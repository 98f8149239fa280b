package io.faasimage.docker;

import io.faasimage.docker.call.Frames;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The {@code docker} command. Exit codes are the daemon's; 1 when it cannot be reached, 125 for a {@code run}. */
public final class Client {
    private static final String SOCKET = "/run/faasimage/docker.sock";

    private Client() {}

    /** Has the daemon do the command and exits. */
    public static void main(String[] arguments) {
        Path socket = Path.of(System.getenv().getOrDefault("FAASIMAGE_DOCKER", SOCKET));
        int exit;
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            exit = call(channel, raw(arguments.length));
        } catch (IOException e) {
            System.err.println("Cannot connect to the docker daemon of faasimage at " + socket + " (" + e.getMessage()
                    + "). Is faasimage-docker-daemon running, and are you root?");
            exit = arguments.length > 0 && arguments[0].equals("run") ? 125 : 1;
        }
        // No hook or finaliser has anything to do here.
        Runtime.getRuntime().halt(exit);
    }

    /** The last {@code count} arguments of this process as they are, whatever character set the locale has. */
    private static List<byte[]> raw(int count) throws IOException {
        byte[] line = Files.readAllBytes(Path.of("/proc/self/cmdline"));
        List<byte[]> all = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < line.length; i++) {
            if (line[i] == 0) {
                all.add(java.util.Arrays.copyOfRange(line, start, i));
                start = i + 1;
            }
        }
        return all.subList(all.size() - count, all.size());
    }

    private static int call(SocketChannel channel, List<byte[]> arguments) throws IOException {
        Frames.writeRequest(
                new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel))), arguments);
        DataInputStream in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        OutputStream err = new FileOutputStream(FileDescriptor.err);
        while (true) {
            Frames.Frame frame;
            try {
                frame = Frames.read(in);
            } catch (IOException e) {
                String lost = "the daemon ended while it was at this command; see its log";
                err.write((lost + "\n").getBytes(StandardCharsets.UTF_8));
                throw new IOException(lost, e);
            }
            switch (frame.kind()) {
                case Frames.OUT -> out.write(frame.content());
                case Frames.ERR -> err.write(frame.content());
                default -> {
                    return ByteBuffer.wrap(frame.content()).getInt();
                }
            }
        }
    }
}
