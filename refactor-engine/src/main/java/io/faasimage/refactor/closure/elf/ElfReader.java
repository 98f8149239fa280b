package io.faasimage.refactor.closure.elf;

import io.faasimage.refactor.closure.elf.FileRegions.Region;
import io.faasimage.refactor.closure.reads.ContentParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A reader of the headers and the dynamic section of ELF files, 32 and 64 bit, of either byte order. A file that is
 * none, or damaged, is absent. Files may be large: only the parts that matter are kept in memory.
 *
 * @see <a href="https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html">System V ABI, chapters 4 and 5</a>
 */
final class ElfReader {
    private static final int HEAD_BYTES = 4096;
    private static final int MAX_SEGMENTS = 64;
    private static final int MAX_DYNAMIC_BYTES = 64 << 10;
    private static final int MAX_STRING_BYTES = 16 << 10;
    private static final int MAX_NEEDED = 512;
    private static final int PT_LOAD = 1;
    private static final int PT_DYNAMIC = 2;
    private static final int PT_INTERP = 3;
    private static final int DT_NEEDED = 1;
    private static final int DT_STRTAB = 5;
    private static final int DT_SONAME = 14;
    private static final int DT_RPATH = 15;
    private static final int DT_RUNPATH = 29;

    static final ContentParser<Optional<ElfFile>> PARSER = new Parser();

    private final FileRegions file;
    private final ByteBuffer head;
    private final boolean wide;
    private final List<Segment> segments = new ArrayList<>();

    private static final class Parser implements ContentParser<Optional<ElfFile>> {
        @Override
        public Optional<ElfFile> parse(Content content) throws IOException {
            try (FileRegions regions = new FileRegions(content)) {
                return ElfReader.read(regions);
            }
        }

        @Override
        public long weight(Optional<ElfFile> result, long read) {
            return result.map(ElfFile::weight).orElse(0L);
        }
    }

    private record Segment(int type, long offset, long address, long size) {}

    private ElfReader(FileRegions file, ByteBuffer head) {
        this.file = file;
        this.head = head;
        this.wide = head.get(4) == 2;
    }

    /** What a file says; absent when it is no ELF file. */
    private static Optional<ElfFile> read(FileRegions file) throws IOException {
        ByteBuffer head = file.read(new Region(0, HEAD_BYTES));
        if (head.remaining() < 64
                || head.getInt(0) != 0x7f454c46
                || (head.get(4) != 1 && head.get(4) != 2)
                || (head.get(5) != 1 && head.get(5) != 2)) {
            return Optional.empty();
        }
        head.order(head.get(5) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        try {
            return Optional.of(new ElfReader(file, head).read());
        } catch (IndexOutOfBoundsException e) {
            // An offset leads out of the file.
            return Optional.empty();
        }
    }

    private ElfFile read() throws IOException {
        readSegments();
        int machine = head.getShort(18) & 0xffff;
        Optional<String> interpreter = Optional.empty();
        Optional<Segment> dynamic = Optional.empty();
        for (Segment segment : segments) {
            if (segment.type == PT_INTERP) {
                interpreter = Optional.of(string(segment.offset));
            } else if (segment.type == PT_DYNAMIC) {
                dynamic = Optional.of(segment);
            }
        }
        return dynamic.isEmpty()
                ? new ElfFile(machine, interpreter, List.of(), Optional.empty(), "", "")
                : dynamic(machine, interpreter, dynamic.get());
    }

    private void readSegments() {
        long table = wide ? head.getLong(32) : head.getInt(28) & 0xffffffffL;
        int size = head.getShort(wide ? 54 : 42) & 0xffff;
        int count = Math.min(head.getShort(wide ? 56 : 44) & 0xffff, MAX_SEGMENTS);
        for (int i = 0; i < count; i++) {
            int at = Math.toIntExact(Math.clamp(table, 0, HEAD_BYTES)) + i * size;
            int type = head.getInt(at);
            segments.add(
                    wide
                            ? new Segment(type, head.getLong(at + 8), head.getLong(at + 16), head.getLong(at + 32))
                            : new Segment(type, word(head, at + 4), word(head, at + 8), word(head, at + 16)));
        }
    }

    private long word(ByteBuffer bytes, int at) {
        return wide ? bytes.getLong(at) : bytes.getInt(at) & 0xffffffffL;
    }

    private ElfFile dynamic(int machine, Optional<String> interpreter, Segment segment) throws IOException {
        ByteBuffer section = file.read(new Region(segment.offset, Math.clamp(segment.size, 0, MAX_DYNAMIC_BYTES)));
        section.order(head.order());
        int width = wide ? 8 : 4;
        List<Long> needed = new ArrayList<>();
        Map<Integer, Long> values = new TreeMap<>();
        for (int at = 0; at + 2 * width <= section.limit(); at += 2 * width) {
            long tag = word(section, at);
            long value = word(section, at + width);
            if (tag == 0) {
                break;
            } else if (tag == DT_NEEDED && needed.size() < MAX_NEEDED) {
                needed.add(value);
            } else if (tag == DT_STRTAB || tag == DT_SONAME || tag == DT_RPATH || tag == DT_RUNPATH) {
                values.put((int) tag, value);
            }
        }
        return named(machine, interpreter, needed, values);
    }

    private ElfFile named(int machine, Optional<String> interpreter, List<Long> needed, Map<Integer, Long> values)
            throws IOException {
        long table = offsetOf(values.getOrDefault(DT_STRTAB, 0L));
        // In the order of the file, so that it is read once.
        Map<Long, String> strings = new TreeMap<>();
        needed.forEach(offset -> strings.put(offset, ""));
        values.forEach((tag, offset) -> {
            if (tag != DT_STRTAB) {
                strings.put(offset, "");
            }
        });
        for (Map.Entry<Long, String> entry : strings.entrySet()) {
            entry.setValue(string(table + entry.getKey()));
        }
        Optional<String> soname = Optional.ofNullable(values.get(DT_SONAME)).map(o -> strings.getOrDefault(o, ""));
        String runpath = strings.getOrDefault(values.getOrDefault(DT_RUNPATH, -1L), "");
        String rpath = runpath.isEmpty() ? strings.getOrDefault(values.getOrDefault(DT_RPATH, -1L), "") : "";
        return new ElfFile(
                machine,
                interpreter,
                needed.stream()
                        .map(offset -> strings.getOrDefault(offset, ""))
                        .filter(name -> !name.isEmpty())
                        .toList(),
                soname.filter(name -> !name.isEmpty()),
                rpath,
                runpath);
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

    private String string(long offset) throws IOException {
        ByteBuffer bytes = file.read(new Region(offset, MAX_STRING_BYTES));
        int length = 0;
        while (length < bytes.limit() && bytes.get(length) != 0) {
            length++;
        }
        return new String(bytes.array(), bytes.arrayOffset(), length, StandardCharsets.ISO_8859_1);
    }
}
