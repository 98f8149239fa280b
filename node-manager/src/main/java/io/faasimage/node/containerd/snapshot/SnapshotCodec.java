package io.faasimage.node.containerd.snapshot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The stored form of a {@link Snapshot}; the key is stored beside it. The first byte is the version. */
final class SnapshotCodec {
    private static final int VERSION = 1;
    private static final int MAX_TEXT = 1 << 20;
    private static final int MAX_LABELS = 10_000;

    private SnapshotCodec() {}

    static byte[] encode(Snapshot snapshot) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeLong(snapshot.id());
            out.writeByte(snapshot.kind().code());
            out.writeBoolean(snapshot.remote());
            writeText(out, snapshot.parent());
            writeText(out, snapshot.chain().map(Object::toString).orElse(""));
            writeInstant(out, snapshot.created());
            writeInstant(out, snapshot.updated());
            out.writeLong(snapshot.usage().bytes());
            out.writeLong(snapshot.usage().inodes());
            out.writeInt(snapshot.labels().size());
            for (Map.Entry<String, String> label : new TreeMap<>(snapshot.labels()).entrySet()) {
                writeText(out, label.getKey());
                writeText(out, label.getValue());
            }
        } catch (IOException e) {
            throw new IllegalStateException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    /** @throws IOException when the bytes are not a snapshot, or one of a later version */
    static Snapshot decode(String key, byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new IOException("it has version " + version + ", this program reads version " + VERSION);
            }
            long id = in.readLong();
            int code = in.readUnsignedByte();
            SnapshotKind kind = SnapshotKind.ofCode(code).orElseThrow(() -> new IOException("unknown kind " + code));
            boolean remote = in.readBoolean();
            String parent = readText(in);
            String chain = readText(in);
            Instant created = readInstant(in);
            Instant updated = readInstant(in);
            Usage usage = new Usage(in.readLong(), in.readLong());
            Map<String, String> labels = readLabels(in);
            return new Snapshot(
                    id, key, parent, kind, remote, SnapshotKey.parse(chain), labels, created, updated, usage);
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("the record of snapshot '" + key + "' cannot be read: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> readLabels(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MAX_LABELS) {
            throw new IOException("impossible number of labels: " + count);
        }
        Map<String, String> labels = new HashMap<>();
        for (int i = 0; i < count; i++) {
            labels.put(readText(in), readText(in));
        }
        return labels;
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static String readText(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_TEXT) {
            throw new IOException("impossible length of a text: " + length);
        }
        byte[] utf8 = new byte[length];
        in.readFully(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static void writeInstant(DataOutputStream out, Instant instant) throws IOException {
        out.writeLong(instant.getEpochSecond());
        out.writeInt(instant.getNano());
    }

    private static Instant readInstant(DataInputStream in) throws IOException {
        return Instant.ofEpochSecond(in.readLong(), in.readInt());
    }
}
