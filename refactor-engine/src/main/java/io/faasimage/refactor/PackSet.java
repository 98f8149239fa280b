package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.refactor.ProgressListener.Phase;
import io.faasimage.refactor.pack.PackEntry;
import io.faasimage.refactor.pack.Packer;
import io.faasimage.refactor.spool.Spool;
import io.faasimage.refactor.spool.SpooledFrame;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

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

    static PackSet write(Plan plan, Spool spool, OutputFiles output, EngineConfig config, ProgressListener progress)
            throws IOException {
        Map<Kind, List<Packer.Item>> items = new TreeMap<>();
        long total = 0;
        for (int i = 0; i < plan.objects().size(); i++) {
            PlanObject object = plan.objects().get(i);
            Optional<SpooledFrame> frame = spool.frame(object.digest());
            if (frame.isPresent()) {
                int level = i < plan.startupCount() ? config.startupLevel() : config.restLevel();
                items.computeIfAbsent(Kind.of(object), k -> new ArrayList<>()).add(new Packer.Item(frame.get(), level));
                total += object.size();
            }
        }
        total += addPieces(plan, spool, config, items);
        List<Kind> kinds = List.copyOf(items.keySet());
        List<Packer.Order> orders = kinds.stream()
                .map(kind -> new Packer.Order(output.begin(), items.getOrDefault(kind, List.of())))
                .toList();
        AtomicLong done = new AtomicLong();
        long all = total;
        Packer packer = new Packer(spool, n -> progress.progress(Phase.PACK, done.addAndGet(n), all));
        return collect(plan, kinds, packer.write(orders), output);
    }

    /** Pieces follow the objects of their kind; returns their bytes. */
    private static long addPieces(Plan plan, Spool spool, EngineConfig config, Map<Kind, List<Packer.Item>> items) {
        int objects = plan.objects().size();
        List<PlanObject> pieces = plan.pieces();
        Set<Integer> startup = plan.startupPieces().boxed().collect(Collectors.toSet());
        Set<Digest> packed =
                plan.objects().stream().map(PlanObject::digest).collect(Collectors.toCollection(HashSet::new));
        long total = 0;
        for (int i = 0; i < pieces.size(); i++) {
            PlanObject piece = pieces.get(i);
            Optional<SpooledFrame> frame = spool.frame(piece.digest());
            if (frame.isPresent() && packed.add(piece.digest())) {
                int level = startup.contains(objects + i) ? config.startupLevel() : config.restLevel();
                items.computeIfAbsent(Kind.of(piece), k -> new ArrayList<>()).add(new Packer.Item(frame.get(), level));
                total += piece.size();
            }
        }
        return total;
    }

    private static PackSet collect(Plan plan, List<Kind> kinds, List<Packer.Written> written, OutputFiles output) {
        List<PackFile> files = new ArrayList<>();
        List<ObjectLocation> locations = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            Packer.Written pack = written.get(i);
            Kind kind = kinds.get(i);
            String name = name(kind, plan) + "-" + pack.index().hex().substring(0, 16) + ".pack";
            Path file = output.name(pack.order().file(), name);
            long raw = 0;
            for (PackEntry entry : pack.entries()) {
                raw += entry.rawSize();
                locations.add(
                        new ObjectLocation(entry.digest(), name, entry.offset(), entry.storedSize(), entry.rawSize()));
            }
            files.add(new PackFile(file, pack.entries().size(), raw, pack.size()));
        }
        return new PackSet(files, locations);
    }

    private static String name(Kind kind, Plan plan) {
        if (kind.library < 0) {
            return kind.segment.label();
        }
        Library library = plan.libraries().get(kind.library);
        return "lib-" + library.ecosystem() + "-" + plain(library.name()) + "-" + plain(library.version());
    }

    /** A name that is safe in a file name; not unique, which the digest behind it is. */
    private static String plain(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9._+-]", "_");
        return plain.length() > NAME_CHARS ? plain.substring(0, NAME_CHARS) : plain;
    }
}
