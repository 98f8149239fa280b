package io.faasimage.closure;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A 64-bit ELF file for x86-64 with only the parts that the dynamic loader reads. */
record MadeElf(String interpreter, List<String> needed, String soname, String rpath, String runpath, String text) {
    static final String GLIBC = "/lib64/ld-linux-x86-64.so.2";
    static final String MUSL = "/lib/ld-musl-x86_64.so.1";

    static MadeElf program(String interpreter, String... needed) {
        return new MadeElf(interpreter, List.of(needed), "", "", "", "");
    }

    static MadeElf library(String... needed) {
        return new MadeElf("", List.of(needed), "", "", "", "");
    }

    MadeElf withRunpath(String path) {
        return new MadeElf(interpreter, needed, soname, rpath, path, text);
    }

    MadeElf withRpath(String path) {
        return new MadeElf(interpreter, needed, soname, path, runpath, text);
    }

    MadeElf withSoname(String name) {
        return new MadeElf(interpreter, needed, name, rpath, runpath, text);
    }

    /** Text in the file, as constants of compiled code are. */
    MadeElf withText(String constants) {
        return new MadeElf(interpreter, needed, soname, rpath, runpath, constants);
    }

    byte[] bytes() {
        ByteArrayOutputStream strings = new ByteArrayOutputStream();
        strings.write(0);
        List<long[]> dynamic = new ArrayList<>();
        needed.forEach(name -> dynamic.add(new long[] {1, string(strings, name)}));
        add(dynamic, 14, soname, strings);
        add(dynamic, 15, rpath, strings);
        add(dynamic, 29, runpath, strings);
        long names = string(strings, interpreter);
        string(strings, text);
        byte[] table = strings.toByteArray();
        long headers = 64 + 3 * 56;
        long base = 0x400000;
        dynamic.add(new long[] {5, base + headers});
        dynamic.add(new long[] {0, 0});
        long dynamicAt = headers + table.length;
        long size = dynamicAt + 16L * dynamic.size();
        ByteBuffer out = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
        out.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}).position(16);
        out.putShort((short) 3)
                .putShort((short) 62)
                .putInt(1)
                .putLong(0)
                .putLong(64)
                .putLong(0)
                .putInt(0);
        out.putShort((short) 64).putShort((short) 56).putShort((short) 3).position(64);
        segment(out, 1, 0, base, size);
        segment(out, 2, dynamicAt, base + dynamicAt, 16L * dynamic.size());
        segment(out, interpreter.isEmpty() ? 4 : 3, headers + names, base, interpreter.length() + 1L);
        out.put(table);
        dynamic.forEach(entry -> out.putLong(entry[0]).putLong(entry[1]));
        return out.array();
    }

    private static void add(List<long[]> dynamic, int tag, String value, ByteArrayOutputStream strings) {
        if (!value.isEmpty()) {
            dynamic.add(new long[] {tag, string(strings, value)});
        }
    }

    private static long string(ByteArrayOutputStream strings, String value) {
        long at = strings.size();
        strings.writeBytes(value.getBytes(StandardCharsets.UTF_8));
        strings.write(0);
        return at;
    }

    private static void segment(ByteBuffer out, int type, long offset, long address, long size) {
        out.putInt(type)
                .putInt(4)
                .putLong(offset)
                .putLong(address)
                .putLong(address)
                .putLong(size)
                .putLong(size)
                .putLong(8);
    }
}
