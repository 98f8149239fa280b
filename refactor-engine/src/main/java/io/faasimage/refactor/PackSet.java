package io.faasimage.refactor;

import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.refactor.ProgressListener.Phase;
import io.faasimage.refactor.pack.PackEntry;
import io.faasimage.refactor.pack.Packer;
import io.faasimage.refactor.spool.Spool;
import io.faasimage.refactor.spool.SpooledObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The packs of one image: one of the function, one of the base, one for each library, each with the objects in the
 * plan's order that are not held yet.
 *
 * @param files the packs that were written
 * @param locations of all objects in them
 */
record PackSet(List<PackFile> files, List<ObjectLocation> locations) {
    private static final int NAME_CHARS = 48;

    /** One pack: a segment, and the library's index for the lib segment (-1 else). */
    private record Kind(Segment segment, int library) implements Comparable<Kind> {
        private static final Comparator<Kind> ORDER =
                Comparator.comparing(Kind::segment, Comparator.reverseOrder()).thenComparingInt(Kind::library);

        static Kind of(PlanObject object) {
            return new Kind(object.segment(), object.library());
        }

        @Override
        public int compareTo(Kind other) {
            return ORDER.compare(this, other);
        }
    }

    static PackSet write(
            SortedObjects sorted, Spool spool, OutputFiles output, EngineConfig config, ProgressListener progress)
            throws IOException {
        Map<Kind, List<Packer.Item>> items = new TreeMap<>();
        long total = 0;
        for (int i = 0; i < sorted.objects().size(); i++) {
            PlanObject object = sorted.objects().get(i);
            Optional<SpooledObject> frame = spool.frame(object.digest());
            if (frame.isPresent()) {
                int level = i < sorted.startupCount() ? config.startupLevel() : config.restLevel();
                items.computeIfAbsent(Kind.of(object), k -> new ArrayList<>()).add(new Packer.Item(frame.get(), level));
                total += object.size();
            }
        }
        List<Kind> kinds = List.copyOf(items.keySet());
        List<Packer.Order> orders = kinds.stream()
                .map(kind -> new Packer.Order(output.begin(), items.getOrDefault(kind, List.of())))
                .toList();
        AtomicLong done = new AtomicLong();
        long all = total;
        Packer packer = new Packer(spool, n -> progress.progress(Phase.PACK, done.addAndGet(n), all));
        return collect(sorted.libraries(), kinds, packer.write(orders), output);
    }

    private static PackSet collect(
            List<Library> libraries, List<Kind> kinds, List<Packer.Written> written, OutputFiles output) {
        List<PackFile> files = new ArrayList<>();
        List<ObjectLocation> locations = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            Packer.Written pack = written.get(i);
            Kind kind = kinds.get(i);
            String name = name(kind, libraries) + "-" + pack.index().hex().substring(0, 16) + ".pack";
            Path file = output.name(pack.order().file(), name);
            long raw = 0;
            for (PackEntry entry : pack.entries()) {
                raw += entry.rawSize();
                locations.add(
                        new ObjectLocation(entry.digest(), name, entry.offset(), entry.rawSize(), entry.frames()));
            }
            files.add(new PackFile(file, pack.entries().size(), raw, pack.size()));
        }
        return new PackSet(files, locations);
    }

    private static String name(Kind kind, List<Library> libraries) {
        if (kind.library < 0) {
            return kind.segment.label();
        }
        Library library = libraries.get(kind.library);
        return "lib-" + library.ecosystem() + "-" + plain(library.name()) + "-" + plain(library.version());
    }

    /** A name that is safe in a file name; not unique, which the digest behind it is. */
    private static String plain(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9._+-]", "_");
        return plain.length() > NAME_CHARS ? plain.substring(0, NAME_CHARS) : plain;
    }
}
