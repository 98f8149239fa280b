package io.faasimage.closure.program;

import io.faasimage.closure.read.Content;
import io.faasimage.closure.read.ContentParser;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The parts of an ELF file that the dynamic loader reads: 64 bits, little-endian, as all of the nodes' machines have.
 *
 * @param machine number of the processor's architecture ({@code e_machine})
 * @param interpreter path of the dynamic loader, of programs; else empty
 * @param needed names of the libraries that it needs, in order
 * @param soname its own name as a library; else empty
 * @param rpath directories of {@code DT_RPATH}, separated by colons; empty when {@code DT_RUNPATH} is there
 * @param runpath directories of {@code DT_RUNPATH}, separated by colons
 * @see <a href="https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html">System V ABI, chapters 4 and 5</a>
 */
record ElfFile(int machine, String interpreter, List<String> needed, String soname, String rpath, String runpath) {
    /** A parser for which a file that is no ELF file, or damaged, is absent. Only the parts that matter are kept. */
    static final ContentParser<Optional<ElfFile>> PARSER = content -> new Reader(content).read();

    private static final int MAGIC = 0x464c457f;
    private static final short WIDE_LITTLE_ENDIAN = 0x0102;
    private static final int HEAD_BYTES = 4096;
    private static final int MAX_SEGMENTS = 64;
    private static final int MAX_DYNAMIC_BYTES = 64 << 10;
    private static final int MAX_STRING = 16 << 10;
    private static final int MAX_NEEDED = 512;
    private static final int PT_LOAD = 1;
    private static final int PT_DYNAMIC = 2;
    private static final int PT_INTERP = 3;
    private static final long DT_NEEDED = 1;
    private static final long DT_STRTAB = 5;
    private static final long DT_SONAME = 14;
    private static final long DT_RPATH = 15;
    private static final long DT_RUNPATH = 29;

    ElfFile {
        needed = List.copyOf(needed);
    }

    /** A pass over one file. */
    private static final class Reader {
        private final Content content;
        private final List<Segment> segments = new ArrayList<>();
        private ByteBuffer head = ByteBuffer.allocate(0);

        private record Segment(int type, long offset, long address, long size) {}

        Reader(Content content) {
            this.content = content;
        }

        Optional<ElfFile> read() throws IOException {
            head = content.region(0, HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            if (head.remaining() < 64 || head.getInt(0) != MAGIC || head.getShort(4) != WIDE_LITTLE_ENDIAN) {
                return Optional.empty();
            }
            try {
                readSegments();
                return Optional.of(dynamic());
            } catch (IndexOutOfBoundsException e) {
                // An offset leads out of the file.
                return Optional.empty();
            }
        }

        private void readSegments() {
            int table = Math.clamp(head.getLong(32), 0, HEAD_BYTES);
            int size = head.getShort(54) & 0xffff;
            int count = Math.min(head.getShort(56) & 0xffff, MAX_SEGMENTS);
            for (int i = 0; i < count; i++) {
                int at = table + i * size;
                segments.add(new Segment(
                        head.getInt(at), head.getLong(at + 8), head.getLong(at + 16), head.getLong(at + 32)));
            }
        }

        private ElfFile dynamic() throws IOException {
            String interpreter = "";
            List<Long> needed = new ArrayList<>();
            Map<Long, Long> values = new HashMap<>();
            for (Segment segment : segments) {
                if (segment.type == PT_INTERP) {
                    interpreter = strings(segment.offset, List.of(0L)).getOrDefault(0L, "");
                } else if (segment.type == PT_DYNAMIC) {
                    readDynamic(segment, needed, values);
                }
            }
            long table = offsetOf(values.getOrDefault(DT_STRTAB, 0L));
            List<Long> offsets = new ArrayList<>(needed);
            values.forEach((tag, offset) -> offsets.add(tag == DT_STRTAB ? -1 : offset));
            Map<Long, String> strings = strings(table, offsets);
            Map<Long, String> texts = new HashMap<>();
            values.forEach((tag, offset) -> texts.put(tag, strings.getOrDefault(offset, "")));
            String runpath = texts.getOrDefault(DT_RUNPATH, "");
            return new ElfFile(
                    head.getShort(18) & 0xffff,
                    interpreter,
                    needed.stream().map(strings::get).filter(Objects::nonNull).toList(),
                    texts.getOrDefault(DT_SONAME, ""),
                    runpath.isEmpty() ? texts.getOrDefault(DT_RPATH, "") : "",
                    runpath);
        }

        private void readDynamic(Segment segment, List<Long> needed, Map<Long, Long> values) throws IOException {
            ByteBuffer section = content.region(segment.offset, Math.clamp(segment.size, 0, MAX_DYNAMIC_BYTES));
            section.order(ByteOrder.LITTLE_ENDIAN);
            for (int at = 0; at + 16 <= section.limit(); at += 16) {
                long tag = section.getLong(at);
                long value = section.getLong(at + 8);
                if (tag == 0) {
                    return;
                } else if (tag == DT_NEEDED && needed.size() < MAX_NEEDED) {
                    needed.add(value);
                } else if (tag == DT_STRTAB || tag == DT_SONAME || tag == DT_RPATH || tag == DT_RUNPATH) {
                    values.put(tag, value);
                }
            }
        }

        /** Where in the file an address of memory comes from. */
        private long offsetOf(long address) {
            for (Segment segment : segments) {
                if (segment.type == PT_LOAD && address >= segment.address && address - segment.address < segment.size) {
                    return segment.offset + (address - segment.address);
                }
            }
            return address;
        }

        /** The strings of a table that are not empty, by their offsets in it; read in one pass. */
        private Map<Long, String> strings(long table, List<Long> offsets) throws IOException {
            TreeMap<Long, String> strings = new TreeMap<>();
            try (InputStream in = new BufferedInputStream(content.open())) {
                long at = 0;
                for (long offset : new TreeSet<>(offsets)) {
                    long start = table + offset;
                    if (offset < 0 || start < 0 || start >= content.size()) {
                        continue;
                    }
                    StringBuilder string = new StringBuilder();
                    if (start < at) {
                        // The end of the string before.
                        Map.Entry<Long, String> before = strings.lastEntry();
                        string.append(before.getValue().substring((int) (offset - before.getKey())));
                    } else {
                        in.skipNBytes(start - at);
                        at = start + 1;
                        for (int c = in.read(); c > 0 && string.length() < MAX_STRING; c = in.read()) {
                            string.append((char) c);
                            at++;
                        }
                    }
                    strings.put(offset, string.toString());
                }
            } catch (EOFException e) {
                // The analysis has read as much as it may: nothing more comes.
                return strings;
            }
            strings.values().removeIf(String::isEmpty);
            return strings;
        }
    }
}
