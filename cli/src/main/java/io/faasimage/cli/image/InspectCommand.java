package io.faasimage.cli.image;

import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Output;
import io.faasimage.format.FormatException;
import io.faasimage.format.erofs.ErofsReader;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code faasimage inspect FILE}. */
public final class InspectCommand extends CliCommand {
    private static final int MAGIC_BYTES = 4;
    /** Where the superblock of an EROFS image begins, with this number (Linux, fs/erofs/erofs_fs.h). */
    private static final int SUPERBLOCK = 1024;

    private static final byte[] EROFS = {(byte) 0xe2, (byte) 0xe1, (byte) 0xf5, (byte) 0xe0};

    private final Argument<Path> file = arguments.parameter(
            "FILE", "For example <root>/plans/... or <root>/metadata/....erofs of a node.", Path::of);

    @Override
    protected void run() throws IOException {
        try {
            switch (magic()) {
                case "FIPL" -> plan(PlanCodec.decode(Files.readAllBytes(file.get())));
                case "FITR" -> trace(TraceCodec.decode(Files.readAllBytes(file.get())));
                default -> {
                    if (!isErofs()) {
                        throw new IOException(file.get() + " is not a plan, trace or metadata image");
                    }
                    metadataImage(ErofsReader.read(file.get()));
                }
            }
        } catch (FormatException e) {
            throw new IOException(file.get() + ": " + e.getMessage(), e);
        }
    }

    private String magic() throws IOException {
        try (InputStream in = Files.newInputStream(file.get())) {
            return new String(in.readNBytes(MAGIC_BYTES), StandardCharsets.ISO_8859_1);
        }
    }

    private boolean isErofs() throws IOException {
        try (InputStream in = Files.newInputStream(file.get())) {
            in.skipNBytes(SUPERBLOCK);
            return Arrays.equals(in.readNBytes(MAGIC_BYTES), EROFS);
        } catch (EOFException e) {
            return false;
        }
    }

    private void plan(Plan plan) {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("format", "plan");
        summary.put("digest", PlanCodec.digest(plan).toString());
        summary.put("image", plan.image().toString());
        summary.put("trace", plan.trace().toString());
        summary.put("layers", plan.layers().size());
        summary.put("topChain", plan.topChain().toString());
        for (Segment segment : Segment.values()) {
            summary.put(segment.label(), share(plan, segment));
        }
        List<String> libraries = plan.libraries().stream()
                .map(l -> l.ecosystem() + " " + l.coordinates())
                .toList();
        summary.put("libraries", libraries);
        output.print(summary, out -> summary.forEach((name, value) -> out.println("%-10s %s".formatted(name, value))));
    }

    private static String share(Plan plan, Segment segment) {
        return "start-up %s in %d objects, all %s in %d"
                .formatted(
                        Output.bytes(bytes(plan.startup(), segment)),
                        count(plan.startup(), segment),
                        Output.bytes(bytes(plan.objects(), segment)),
                        count(plan.objects(), segment));
    }

    private static long bytes(List<PlanObject> objects, Segment segment) {
        return objects.stream()
                .filter(o -> o.segment() == segment)
                .mapToLong(PlanObject::size)
                .sum();
    }

    private static long count(List<PlanObject> objects, Segment segment) {
        return objects.stream().filter(o -> o.segment() == segment).count();
    }

    private void trace(Trace trace) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (TraceEntry entry : trace.entries()) {
            rows.add(Map.of(
                    "path",
                    entry.path().display(),
                    "runs",
                    entry.runs(),
                    "meanRank",
                    entry.meanRank(),
                    "firstAccessMicros",
                    entry.firstAccessMicros()));
        }
        Map<String, Object> all =
                Map.of("format", "trace", "chain", trace.chain().toString(), "runs", trace.runs(), "entries", rows);
        output.print(all, out -> {
            out.println("trace of " + trace.chain() + ", " + trace.runs() + " run(s), " + rows.size() + " files");
            trace.entries()
                    .forEach(e -> out.println("%8.1f %5d %9.1f ms  %s"
                            .formatted(
                                    e.meanRank(),
                                    e.runs(),
                                    e.firstAccessMicros() / 1000.0,
                                    e.path().display())));
        });
    }

    private void metadataImage(FileTree tree) {
        List<Map<String, Object>> rows = new ArrayList<>();
        tree.inodes().forEach((path, inode) -> rows.add(row(path, inode)));
        output.print(Map.of("format", "metadata image", "entries", rows), out -> {
            out.println("metadata image, " + rows.size() + " entries");
            tree.inodes().forEach((path, inode) -> line(path, inode, out));
        });
    }

    private static Map<String, Object> row(FilePath path, Inode inode) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("path", path.display());
        row.put("type", type(inode));
        row.put("mode", "%04o".formatted(inode.attributes().mode()));
        row.put("uid", Integer.toUnsignedLong(inode.attributes().uid()));
        row.put("gid", Integer.toUnsignedLong(inode.attributes().gid()));
        if (inode instanceof Inode.RegularFile regular) {
            row.put("size", regular.size());
            regular.content().ifPresent(digest -> row.put("object", digest.toString()));
        }
        if (inode instanceof Inode.Symlink link) {
            row.put("target", display(link));
        }
        return row;
    }

    private static void line(FilePath path, Inode inode, PrintWriter out) {
        String detail = switch (inode) {
            case Inode.RegularFile regular ->
                "%12d  %s"
                        .formatted(
                                regular.size(),
                                regular.content()
                                        .map(d -> d.hex().substring(0, 12))
                                        .orElse(""));
            case Inode.Symlink link -> "-> " + display(link);
            case Inode.Special special -> special.major() + ":" + special.minor();
            case Inode.Directory directory -> "";
        };
        out.println("%-9s %04o %s  %s".formatted(type(inode), inode.attributes().mode(), path.display(), detail));
    }

    private static String display(Inode.Symlink link) {
        return new String(link.target().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static String type(Inode inode) {
        return switch (inode) {
            case Inode.Directory directory -> "directory";
            case Inode.RegularFile regular -> "file";
            case Inode.Symlink link -> "symlink";
            case Inode.Special special ->
                switch (special.kind()) {
                    case CHARACTER_DEVICE -> "chardev";
                    case BLOCK_DEVICE -> "blockdev";
                    case FIFO -> "fifo";
                    case SOCKET -> "socket";
                };
        };
    }
}
