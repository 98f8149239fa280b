package io.faasimage.closure.read;

import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
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

    private static final int MAX_DEPTH = 200;
    private static final int MAX_NOTES = 100;

    private final ImageFiles files;
    private final ClosureLimits limits;
    private final Map<FilePath, ClosureFile> found = new LinkedHashMap<>();
    private final Map<FilePath, Double> followed = new HashMap<>();
    private final Deque<Invocation> commands = new ArrayDeque<>();
    private final Deque<Step> deferred = new ArrayDeque<>();
    private final Set<Invocation> seen = new LinkedHashSet<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private long readable;
    private int depth;

    /** A part of the analysis. */
    @FunctionalInterface
    public interface Step {
        /** Runs it. */
        void run() throws IOException;
    }

    /** No reads yet. */
    public Reads(ImageFiles files, ClosureLimits limits) {
        this.files = files;
        this.limits = limits;
        this.readable = limits.maxBytes();
    }

    /** The image. */
    public ImageFiles files() {
        return files;
    }

    /**
     * Adds a file.
     *
     * @return whether the file's references must be followed: it is new, or much more probable than before
     */
    public boolean add(ImageEntry.File file, String by, double confidence) {
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
            found.put(file.path(), new ClosureFile(rank, file.path(), file.size(), by, Math.min(1, confidence)));
        }
        Double before = followed.get(file.path());
        if (before != null && before + STEP > confidence) {
            return false;
        }
        followed.put(file.path(), confidence);
        return true;
    }

    /** Adds the file at a path, if there is one. */
    public boolean add(String path, String by, double confidence) {
        Optional<ImageEntry.File> file = files.file(path);
        return file.isPresent() && add(file.get(), by, confidence);
    }

    /** The text of a file, one char per byte; empty when it is longer than a source may be. */
    public String text(ImageEntry.File file) throws IOException {
        return source(file, ContentParser.TEXT).orElse("");
    }

    /** The result of a parser of sources; absent when the file is longer than a source may be. */
    public <T> Optional<T> source(ImageEntry.File file, ContentParser<T> parser) throws IOException {
        if (file.size() > limits.maxSourceBytes()) {
            note(file.path() + " is too long to be parsed");
            return Optional.empty();
        }
        return Optional.of(parse(file, parser));
    }

    /** The result of a parser. */
    public <T> T parse(ImageEntry.File file, ContentParser<T> parser) throws IOException {
        Content content = new Content(file.size(), () -> files.open(file), readable);
        T result = parser.parse(content);
        readable -= Math.min(content.read(), readable);
        return result;
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

    /** Runs the steps that were nested too deep. */
    public void finishDeferred() throws IOException {
        for (Step step = deferred.poll(); step != null; step = deferred.poll()) {
            step.run();
        }
    }

    /** Adds a command, to be followed after the current one. */
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

    /** Adds a sentence about a gap in the analysis. */
    public void note(String text) {
        if (notes.size() < MAX_NOTES) {
            notes.add(text);
        }
    }

    /** All notes. */
    public List<String> notes() {
        if (readable <= 0) {
            notes.add("more than " + limits.maxBytes() + " bytes would have to be parsed; the rest is not followed");
        }
        return List.copyOf(notes);
    }

    /** All files so far, by rank. */
    public List<ClosureFile> found() {
        return new ArrayList<>(found.values());
    }
}
