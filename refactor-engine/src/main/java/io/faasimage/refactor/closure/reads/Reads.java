package io.faasimage.refactor.closure.reads;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.image.ImageFiles;
import io.faasimage.refactor.closure.reads.ParsedContents.Parsed;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The reads of a start that are known so far, in order, and the work that is left: commands to follow, and steps that
 * would nest too deep. It holds the limits of the analysis. For one thread.
 */
public final class Reads {
    /** A file is followed again when it turns out to be so much more probable. */
    private static final double STEP = 0.1;

    /** Most bytes that one analysis reads only to verify them. */
    private static final long MAX_VERIFIED_BYTES = 256 << 20;

    private static final int MAX_DEPTH = 200;
    private static final int MAX_NOTES = 100;

    private final ImageFiles files;
    private final ClosureLimits limits;
    private final ParsedContents parsed;
    private final Map<FilePath, ClosureFile> found = new LinkedHashMap<>();
    private final Map<FilePath, Double> followed = new HashMap<>();
    private final Deque<Invocation> commands = new ArrayDeque<>();
    private final Deque<Step> deferred = new ArrayDeque<>();
    private final Set<Invocation> seen = new LinkedHashSet<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final LimitedStream.Budget budget;
    private final Set<Digest> verified = new HashSet<>();
    private long verifiable = MAX_VERIFIED_BYTES;
    private int depth;

    /** A part of the analysis. */
    @FunctionalInterface
    public interface Step {
        /** Does it. */
        void run() throws IOException;
    }

    /** No reads yet; {@code parsed} has what parsers made before. */
    public Reads(ImageFiles files, ClosureLimits limits, ParsedContents parsed) {
        this.files = files;
        this.limits = limits;
        this.parsed = parsed;
        this.budget = new LimitedStream.Budget(limits.maxBytes());
    }

    /** The image. */
    public ImageFiles files() {
        return files;
    }

    /**
     * Adds a file.
     *
     * @return whether what the file leads to must be followed: it is new, or much more probable than before
     */
    public boolean add(ImageEntry.File file, ClosureReason reason, String by, double confidence) {
        if (confidence < limits.minConfidence()) {
            return false;
        }
        ClosureFile old = found.get(file.path());
        if (old == null && found.size() >= limits.maxFiles()) {
            note("more than " + limits.maxFiles() + " files would be read; the rest is left out");
            return false;
        }
        if (file.size() > 0 && (old == null || old.confidence() < confidence)) {
            int rank = old == null ? found.size() : old.rank();
            found.put(
                    file.path(), new ClosureFile(rank, file.path(), file.size(), reason, by, Math.min(1, confidence)));
        }
        Double before = followed.get(file.path());
        if (before != null && before + STEP > confidence) {
            return false;
        }
        followed.put(file.path(), confidence);
        return true;
    }

    /** Adds the file at a path, if there is one. */
    public boolean add(String path, ClosureReason reason, String by, double confidence) {
        Optional<ImageEntry.File> file = files.file(path);
        return file.isPresent() && add(file.get(), reason, by, confidence);
    }

    /** The text of a file, one char per byte; absent when it is longer than a source may be. */
    public Optional<String> text(ImageEntry.File file) throws IOException {
        return source(file, ContentParser.TEXT);
    }

    /** What the parser makes of a source; absent when it is longer than a source may be. */
    public <T> Optional<T> source(ImageEntry.File file, ContentParser<T> parser) throws IOException {
        if (file.size() > limits.maxSourceBytes()) {
            note(file.path() + " is too long to be parsed");
            return Optional.empty();
        }
        return Optional.of(parse(file, parser));
    }

    /** What the parser makes of a file, or made of one with the same content in an earlier analysis. */
    public <T> T parse(ImageEntry.File file, ContentParser<T> parser) throws IOException {
        checkInterrupt(file);
        Optional<Parsed<T>> known = file.content().flatMap(content -> parsed.find(content, parser));
        if (known.isPresent() && budget.take(known.get().read())) {
            return known.get().result();
        }
        long before = budget.left();
        FileContent content = new FileContent(files, file, parsed.keepsAny());
        T result = parser.parse(new LimitedContent(file, content));
        // Where nothing is left, the content may have seemed to end early.
        if (budget.left() > 0 && isVerified(file, content)) {
            parsed.add(file.content().orElseThrow(), parser, new Parsed<>(result, before - budget.left()));
        }
        return result;
    }

    /** Parsers only look into some long files: all of such a file is read once, so that it need not be opened again. */
    private boolean isVerified(ImageEntry.File file, FileContent content) throws IOException {
        boolean isVerified = content.isVerified();
        if (isVerified || !content.isLong()) {
            return isVerified;
        }
        Digest digest = file.content().orElseThrow();
        if (!verified.contains(digest)) {
            if (file.size() > verifiable) {
                return false;
            }
            verifiable -= file.size();
            files.verify(digest);
            verified.add(digest);
        }
        return true;
    }

    private static void checkInterrupt(ImageEntry.File file) throws RefactorException {
        if (Thread.currentThread().isInterrupted()) {
            throw new RefactorException(Kind.CANCELLED, "interrupted at " + file.path());
        }
    }

    /** The content of a file within the budget. */
    private final class LimitedContent implements ContentParser.Content {
        private final ImageEntry.File file;
        private final FileContent content;

        LimitedContent(ImageEntry.File file, FileContent content) {
            this.file = file;
            this.content = content;
        }

        @Override
        public long size() {
            return file.size();
        }

        @Override
        public InputStream open() throws IOException {
            checkInterrupt(file);
            return new LimitedStream(content.open(), budget);
        }
    }

    /** Runs a step now, or at the end where steps are nested too deep. */
    public void follow(Step step) throws IOException {
        if (depth >= MAX_DEPTH) {
            deferred.add(step);
            return;
        }
        depth++;
        try {
            step.run();
        } finally {
            depth--;
        }
    }

    /** Runs what was too deep. */
    public void finishDeferred() throws IOException {
        for (Step step = deferred.poll(); step != null; step = deferred.poll()) {
            step.run();
        }
    }

    /** Adds a command, to be followed after what is being followed now. */
    public void run(Invocation command) {
        if (command.confidence() < limits.minConfidence() || !seen.add(command)) {
            return;
        }
        if (seen.size() > limits.maxRuns()) {
            note("more than " + limits.maxRuns() + " programs would be started; the rest is left out");
            return;
        }
        commands.add(command);
    }

    /** The next command to follow. */
    public Optional<Invocation> nextCommand() {
        return Optional.ofNullable(commands.poll());
    }

    /** Adds a sentence about what could not be found out. */
    public void note(String text) {
        if (notes.size() < MAX_NOTES) {
            notes.add(text);
        }
    }

    /** What was noted. */
    public List<String> notes() {
        if (budget.isExceeded()) {
            notes.add("more than " + limits.maxBytes() + " bytes would have to be parsed; the rest is not followed");
        }
        return List.copyOf(notes);
    }

    /** All files so far, by rank. */
    public List<ClosureFile> found() {
        return new ArrayList<>(found.values());
    }
}
