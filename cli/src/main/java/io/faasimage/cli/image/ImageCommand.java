package io.faasimage.cli.image;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageInfo.LibraryInfo;
import io.faasimage.api.image.ImageInfo.SegmentInfo;
import io.faasimage.api.job.JobInfo;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Progress;
import io.faasimage.cli.terminal.Screen;
import io.faasimage.cli.terminal.Table;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * {@code faasimage image}: lists; {@code image inspect}, {@code image prediction}, {@code image refactor}.
 */
public final class ImageCommand extends ServiceCommand {
    @Override
    protected void run(ServiceClient registry) throws IOException {
        Table table = new Table(">DIGEST", "=STATE", ">SIZE", ">START-UP", "IMAGE");
        output.list(registry.images(), ImageInfo::name, table, i -> new String[] {
            Table.shortDigest(i.digest()),
            i.state().toString(),
            Output.bytes(i.compressedSize()),
            Output.bytes(startupStored(i)),
            i.name()
        });
    }

    private static long startupStored(ImageInfo image) {
        return image.segments().stream().mapToLong(SegmentInfo::startupStored).sum();
    }

    /** {@code faasimage image inspect IMAGE}. */
    public static final class Inspect extends ServiceCommand {
        private final Argument<String> image = arguments.parameter("IMAGE", "Digest, reference or function name.");
        private final Argument<Boolean> allLibraries =
                arguments.flag("--all-libraries", "List every library, not only the 15 largest.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            ImageInfo info = Connections.image(registry, image.get());
            output.show(info, screen -> describe(info, screen));
        }

        private void describe(ImageInfo info, Screen screen) {
            PrintWriter out = screen.out();
            out.println(Printable.line(info.name()));
            out.println("  digest     " + info.digest());
            out.println(
                    "  state      " + info.state() + (info.error() == null ? "" : ": " + Printable.line(info.error())));
            out.println("  functions  " + String.join(", ", info.functions()));
            out.println("  layers     " + info.chains().size() + ", " + Output.bytes(info.compressedSize())
                    + " compressed");
            if (info.plan() == null) {
                out.println("  no plan yet: trace a start with: faasimage trace " + info.name());
                return;
            }
            long moved = startupStored(info);
            out.println("  plan       " + info.plan());
            out.println(
                    info.predicted()
                            ? "  trace      none yet, the plan is predicted: faasimage image prediction "
                                    + info.digest()
                            : "  trace      " + info.tracedFiles() + " files, " + info.traceRuns() + " run(s)");
            out.println("  start-up   " + Output.bytes(moved) + " to move, "
                    + Output.percent(moved, info.compressedSize()) + " of the image");
            out.println();
            Table segments = new Table("SEGMENT", ">START-UP", ">FILES", ">TO MOVE", ">OF ALL", ">ALL", ">FILES");
            info.segments()
                    .forEach(s -> segments.row(
                            s.segment(),
                            Output.bytes(s.startupBytes()),
                            Long.toString(s.startupObjects()),
                            Output.bytes(s.startupStored()),
                            Output.percent(s.startupBytes(), s.bytes()),
                            Output.bytes(s.bytes()),
                            Long.toString(s.objects())));
            segments.print(screen);
            libraries(info, screen);
        }

        private void libraries(ImageInfo info, Screen screen) {
            PrintWriter out = screen.out();
            if (info.libraries().isEmpty()) {
                return;
            }
            out.println();
            List<LibraryInfo> largest = info.libraries().stream()
                    .sorted(Comparator.comparingLong(LibraryInfo::bytes).reversed())
                    .limit(allLibraries.get() ? Long.MAX_VALUE : 15)
                    .toList();
            Table table = new Table("LIBRARY", "VERSION", "ECOSYSTEM", ">SIZE", ">FILES");
            largest.forEach(l -> table.row(
                    l.name(), l.version(), l.ecosystem(), Output.bytes(l.bytes()), Long.toString(l.objects())));
            table.print(screen);
            int hidden = info.libraries().size() - largest.size();
            if (hidden > 0) {
                out.println("(" + hidden + " more; --all-libraries shows them)");
            }
        }
    }

    /** {@code faasimage image refactor IMAGE}. */
    public static final class Refactor extends ServiceCommand {
        private final Argument<String> image = arguments.parameter("IMAGE", "Digest, reference or function name.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            try (Progress progress = output.progress()) {
                Digest digest =
                        Digest.parse(Connections.image(registry, image.get()).digest());
                JobInfo job = JobWait.untilDone(registry, registry.refactor(digest), Duration.ofMinutes(30), progress);
                output.print(job, out -> out.println("refactored " + digest));
            }
        }
    }
}
