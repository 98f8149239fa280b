package io.faasimage.refactor.artifact;

import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.format.artifact.FrameRun;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanNumbers;
import io.faasimage.format.plan.Segment;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The packs of a plan's artifact: the frames that starts read, one pack for each segment, in the order of their ranks,
 * so that a second function of a runtime needs one small blob. A pack of an earlier artifact of the image is used again
 * if most of it is wanted; only the frames that no such pack has are written. For one thread.
 */
final class StartPacks {
    /** An earlier pack is used again from this share on, percent: nodes that hold nothing read it as a whole. */
    private static final int LEAST_PERCENT = 75;

    private final Plan plan;
    private final PlanNumbers numbers;
    private final BitSet wanted = new BitSet();
    private final List<ArtifactPack> packs = new ArrayList<>();
    private final List<Blob> written = new ArrayList<>();

    /** A pack that is new, in a file. */
    record Blob(Path file, Digest digest, long size) {}

    private StartPacks(Plan plan) {
        this.plan = plan;
        this.numbers = new PlanNumbers(plan);
        for (int object = 0; object < plan.startupCount(); object++) {
            for (IndexRange range : plan.prefetch().get(object).wanted()) {
                wanted.set(numbers.number(object, range.from()), numbers.number(object, range.to() - 1) + 1);
            }
        }
    }

    /**
     * Writes the packs that no earlier artifact has.
     *
     * @param directory for their files
     */
    static StartPacks write(Plan plan, StoredFrames frames, List<PackFrames> earlier, Path directory)
            throws IOException {
        StartPacks packs = new StartPacks(plan);
        packs.useAgain(earlier);
        for (Segment segment : Segment.values()) {
            packs.write(segment, frames, directory.resolve(segment.label() + ".pack"));
        }
        return packs;
    }

    /** All packs of the plan, as its head names them. */
    List<ArtifactPack> packs() {
        return List.copyOf(packs);
    }

    /** Those that were written. */
    List<Blob> written() {
        return List.copyOf(written);
    }

    private void useAgain(List<PackFrames> earlier) {
        for (PackFrames pack : earlier) {
            BitSet found = new BitSet();
            List<FrameRun> runs = runs(pack, found);
            long bytes = runs.stream().mapToLong(FrameRun::length).sum();
            boolean isUsed = packs.stream().anyMatch(used -> used.blob().equals(pack.blob()));
            if (!isUsed && !runs.isEmpty() && bytes >= pack.size() / 100 * LEAST_PERCENT) {
                packs.add(new ArtifactPack(pack.blob(), pack.size(), runs));
                wanted.andNot(found);
            }
        }
    }

    /** The wanted frames that a pack has; {@code found} receives their numbers. */
    private List<FrameRun> runs(PackFrames pack, BitSet found) {
        Map<Digest, Deque<Integer>> byDigest = new HashMap<>();
        wanted.stream()
                .forEach(number -> byDigest.computeIfAbsent(digest(number), _ -> new ArrayDeque<>())
                        .add(number));
        Runs runs = new Runs();
        for (PackFrames.Place place : pack.frames()) {
            @Nullable Deque<Integer> numbersOf = byDigest.get(place.digest());
            @Nullable Integer number = numbersOf == null ? null : numbersOf.poll();
            if (number != null) {
                runs.add(number, place.offset(), place.length());
                found.set(number);
            }
        }
        return runs.list;
    }

    private Digest digest(int number) {
        return frames(number).digest(numbers.frame(number));
    }

    private ObjectFrames frames(int number) {
        return plan.prefetch().get(numbers.object(number)).frames();
    }

    private void write(Segment segment, StoredFrames stored, Path file) throws IOException {
        MessageDigest hash = Digest.newSha256();
        Runs runs = new Runs();
        long size = 0;
        try (OutputStream out = new DigestOutputStream(new BufferedOutputStream(Files.newOutputStream(file)), hash)) {
            for (int from = wanted.nextSetBit(0); from >= 0; ) {
                int object = numbers.object(from);
                ObjectFrames frames = frames(from);
                int to = Math.min(wanted.nextClearBit(from), numbers.number(object, frames.count() - 1) + 1);
                if (plan.objects().get(object).segment() == segment) {
                    IndexRange range = new IndexRange(numbers.frame(from), numbers.frame(from) + to - from);
                    stored.copy(plan.objects().get(object).digest(), range, out);
                    for (int number = from; number < to; number++) {
                        int length = frames.length(numbers.frame(number));
                        runs.add(number, size, length);
                        size += length;
                    }
                }
                from = wanted.nextSetBit(to);
            }
        }
        if (size > 0) {
            Digest digest = Digest.ofBytes(hash.digest());
            packs.add(new ArtifactPack(digest, size, runs.list));
            written.add(new Blob(file, digest, size));
        }
    }

    /** Frames by offset, as runs. */
    private static final class Runs {
        private final List<FrameRun> list = new ArrayList<>();

        void add(int number, long offset, int length) {
            @Nullable FrameRun last = list.isEmpty() ? null : list.getLast();
            if (last != null && last.to() == number && last.end() == offset) {
                list.set(
                        list.size() - 1,
                        new FrameRun(last.from(), last.count() + 1, last.offset(), last.length() + length));
            } else {
                list.add(new FrameRun(number, 1, offset, length));
            }
        }
    }
}
