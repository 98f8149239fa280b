package io.faasimage.refactor.closure.elf;

import io.faasimage.refactor.closure.reads.ContentParser;
import io.faasimage.refactor.closure.reads.StringWeight;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The contents of glibc's {@code /etc/ld.so.cache}: paths of libraries by name, for one architecture. Entries for
 * special processors are left out, as a node's processor is not known.
 *
 * @param machine number of the architecture
 * @see <a href="https://sourceware.org/git/?p=glibc.git;a=blob;f=sysdeps/generic/dl-cache.h">dl-cache.h</a>
 */
record LoaderCache(int machine) implements ContentParser<Map<String, String>> {
    private static final int MAX_BYTES = 1 << 24;
    private static final byte[] MAGIC = "glibc-ld.so.cache1.1".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_BYTES = 48;
    private static final int ENTRY_BYTES = 24;
    private static final int MAX_ENTRIES = 65_536;
    private static final int S390 = 22;
    /** The architecture part of an entry's flags, by {@code e_machine}; 32-bit x86 and others have none. */
    private static final Map<Integer, Integer> FLAGS = Map.of(
            62, 0x0300, // x86-64
            183, 0x0a00, // AArch64
            21, 0x0500, // 64-bit PowerPC
            S390, 0x0400, 40, 0x0900, // ARM, hard floats
            243, 0x1000); // RISC-V, double floats

    /** The paths by name; empty when the file is damaged or of an older format. */
    @Override
    public Map<String, String> parse(Content content) throws IOException {
        return Map.copyOf(paths(content.head(MAX_BYTES)));
    }

    @Override
    public long weight(Map<String, String> result, long read) {
        return StringWeight.of(result.keySet()) + StringWeight.of(result.values());
    }

    private Map<String, String> paths(byte[] bytes) {
        Map<String, String> paths = new HashMap<>();
        int base = find(bytes);
        if (base < 0) {
            return paths;
        }
        ByteBuffer cache = ByteBuffer.wrap(bytes, base, bytes.length - base)
                .slice()
                .order(machine == S390 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        try {
            int count = Math.clamp(cache.getInt(20), 0, MAX_ENTRIES);
            for (int i = 0; i < count; i++) {
                int at = HEADER_BYTES + i * ENTRY_BYTES;
                boolean matches = (cache.getInt(at) & 0xff00) == FLAGS.getOrDefault(machine, 0);
                if (matches && cache.getLong(at + 16) == 0) {
                    paths.putIfAbsent(string(cache, cache.getInt(at + 4)), string(cache, cache.getInt(at + 8)));
                }
            }
        } catch (IndexOutOfBoundsException e) {
            // Damaged: what was read until here is right.
            return paths;
        }
        return paths;
    }

    /** The newer format may follow the older one in the same file. */
    private static int find(byte[] bytes) {
        for (int at = 0; at + HEADER_BYTES <= bytes.length; at += 4) {
            if (Arrays.equals(bytes, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
                return at;
            }
        }
        return -1;
    }

    private static String string(ByteBuffer cache, int offset) {
        int end = offset;
        while (cache.get(end) != 0) {
            end++;
        }
        return new String(cache.array(), cache.arrayOffset() + offset, end - offset, StandardCharsets.ISO_8859_1);
    }
}
