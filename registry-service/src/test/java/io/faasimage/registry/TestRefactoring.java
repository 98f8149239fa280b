package io.faasimage.registry;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.refactor.MetadataImage;
import io.faasimage.refactor.ObjectLocation;
import io.faasimage.refactor.PackFile;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.RefactorReport;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.pack.PackEntry;
import io.faasimage.refactor.pack.PackWriter;
import io.faasimage.refactor.spool.SpooledObject;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.images.job.Refactoring;
import io.faasimage.registry.images.prediction.StartEvidence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A maker of real packs and plans from the content that a test gave for an image, without reading the image. */
public final class TestRefactoring implements Refactoring {
    /** The runtime of every image. */
    public static final String RUNTIME = "python3.12";

    private static final Library LIBRARY = new Library("python", "flask", "3.1.0");

    /** An action of a test while a job runs that has packed its objects. */
    public interface Interference {
        void during(ImageRow image) throws IOException;
    }

    private final Map<Digest, List<TestContent>> contents = new ConcurrentHashMap<>();
    private final Map<Digest, List<ChainId>> chains = new ConcurrentHashMap<>();
    private final Set<Digest> partly = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Interference interference;
    private volatile Library library = LIBRARY;

    /** Sets the content of an image. */
    public void content(Digest image, List<TestContent> content) {
        contents.put(image, List.copyOf(content));
    }

    /** Sets the library that every image has. */
    public void library(Library has) {
        library = has;
    }

    /** Variant of {@link #content} for an image whose plan has a layer for each of the image's. */
    public void content(RegisteredImage image, List<TestContent> content) {
        chains.put(image.digest(), image.chains());
        content(image.digest(), content);
    }

    /** From now on, prefetch lists have only the first frame of the object. */
    public void partly(Digest object) {
        partly.add(object);
    }

    /** Forgets the interference and the library of a test. */
    void reset() {
        interference = null;
        library = LIBRARY;
    }

    /** Sets the action while jobs run. */
    public void interfere(@Nullable Interference change) {
        interference = change;
    }

    /** The metadata image's raw bytes of an image. */
    public static byte[] metadata(Digest image) {
        return ("metadata of " + image).repeat(100).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Optional<RefactorResult> run(
            ImageRow image, StartEvidence evidence, Holdings known, Path work, ProgressListener progress)
            throws IOException {
        Trace trace = ((StartEvidence.Traced) evidence).trace();
        progress.progress(ProgressListener.Phase.READ, 1, 2);
        List<TestContent> content = contents.getOrDefault(image.digest(), List.of());
        List<ObjectLocation> locations = new ArrayList<>();
        List<PackFile> packs = pack(content, known, work, locations);
        Interference change = interference;
        if (change != null) {
            change.during(image);
        }
        byte[] metadata = metadata(image.digest());
        Path file = work.resolve("metadata");
        Files.write(file, Zstd.compress(metadata));
        Digest name = Digest.of(metadata);
        List<PrefetchObject> prefetch = prefetch(content, known, locations);
        Plan plan = plan(image, trace, content, prefetch, new PlanLayer(image.topChain(), name, metadata.length));
        return Optional.of(new RefactorResult(
                plan,
                PlanCodec.digest(plan),
                List.of(new MetadataImage(name, metadata.length, file, Files.size(file))),
                packs,
                locations,
                List.of(),
                Optional.empty(),
                List.of(),
                new RefactorReport(
                        Map.of(), List.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of(), List.of(), Optional.of(RUNTIME))));
    }

    private static List<PackFile> pack(
            List<TestContent> content, Holdings known, Path work, List<ObjectLocation> locations) throws IOException {
        Set<Digest> held = known.held(content.stream().map(TestContent::digest).toList());
        List<TestContent> packed =
                content.stream().filter(c -> !held.contains(c.digest())).toList();
        if (packed.isEmpty()) {
            return List.of();
        }
        String name = "pack-" + packed.getFirst().digest().hex().substring(0, 16);
        Path file = work.resolve(name);
        Path frames = work.resolve("frames");
        try (FileChannel spool = FileChannel.open(
                        frames, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                PackWriter pack = new PackWriter(file, ByteBuffer.allocate(1 << 20))) {
            for (TestContent object : packed) {
                // As the engine does.
                int level = object.startup() ? 9 : 3;
                StoredForm form = StoredForm.of(object.bytes(), level);
                long at = spool.size();
                spool.write(ByteBuffer.wrap(form.bytes()), at);
                int size = object.bytes().length;
                pack.append(new SpooledObject(object.digest(), spool, at, size, level, form.frames()));
            }
            pack.finish();
            for (PackEntry entry : pack.entries()) {
                locations.add(
                        new ObjectLocation(entry.digest(), name, entry.offset(), entry.rawSize(), entry.frames()));
            }
            return List.of(new PackFile(file, packed.size(), pack.size(), pack.size()));
        }
    }

    private List<PrefetchObject> prefetch(List<TestContent> content, Holdings known, List<ObjectLocation> locations)
            throws IOException {
        List<Digest> startup = content.stream()
                .filter(TestContent::startup)
                .map(TestContent::digest)
                .toList();
        Map<Digest, ObjectFrames> frames = new HashMap<>();
        locations.forEach(at -> frames.put(at.digest(), at.frames()));
        frames.putAll(known.frames(
                startup.stream().filter(digest -> !frames.containsKey(digest)).toList()));
        List<PrefetchObject> prefetch = new ArrayList<>();
        for (Digest digest : startup) {
            ObjectFrames stored = Optional.ofNullable(frames.get(digest)).orElseThrow(() -> notStored(digest));
            prefetch.add(
                    new PrefetchObject(stored, partly.contains(digest) ? List.of(new IndexRange(0, 1)) : List.of()));
        }
        return prefetch;
    }

    private static RefactorException notStored(Digest digest) {
        return new RefactorException(
                RefactorException.Kind.UNAVAILABLE, "object " + digest + " is not stored any more");
    }

    private Plan plan(
            ImageRow image, Trace trace, List<TestContent> content, List<PrefetchObject> prefetch, PlanLayer top) {
        List<PlanObject> objects = new ArrayList<>();
        content.stream().filter(TestContent::startup).forEach(c -> objects.add(object(c)));
        content.stream()
                .filter(c -> !c.startup())
                .sorted(Comparator.comparing(TestContent::digest))
                .forEach(c -> objects.add(object(c)));
        List<ChainId> stack = chains.getOrDefault(
                image.digest(), List.of(new ChainId(Digest.of(image.digest().bytes())), top.chainId()));
        return new Plan(
                image.digest(),
                TraceCodec.digest(trace),
                stack.stream()
                        .map(chain -> new PlanLayer(chain, top.metadata(), top.metadataSize()))
                        .toList(),
                List.of(library),
                objects,
                prefetch);
    }

    private static PlanObject object(TestContent content) {
        return new PlanObject(
                content.digest(), content.bytes().length, content.segment(), content.segment() == Segment.LIB ? 0 : -1);
    }
}
