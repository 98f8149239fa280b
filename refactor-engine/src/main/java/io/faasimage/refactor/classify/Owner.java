package io.faasimage.refactor.classify;

import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.Segment;
import java.util.Comparator;
import java.util.Optional;

/**
 * To whom a file belongs. The order is that of precedence: base before libraries before the function.
 *
 * @param segment base, lib or func
 * @param library exactly for the lib segment
 */
public record Owner(Segment segment, Optional<Library> library) implements Comparable<Owner> {
    /** The operating system or language runtime. */
    public static final Owner BASE = new Owner(Segment.BASE, Optional.empty());

    /** The function alone. */
    public static final Owner FUNC = new Owner(Segment.FUNC, Optional.empty());

    /** The order of libraries in a plan. */
    public static final Comparator<Library> LIBRARY_ORDER = Comparator.comparing(Library::ecosystem)
            .thenComparing(Library::name)
            .thenComparing(Library::version);

    /** Checks that exactly libraries have one. */
    public Owner {
        if ((segment == Segment.LIB) != library.isPresent()) {
            throw new IllegalArgumentException("a library goes with the lib segment");
        }
    }

    /** A library. */
    public static Owner of(Library library) {
        return new Owner(Segment.LIB, Optional.of(library));
    }

    /** The one of two that has precedence. */
    public static Owner first(Owner a, Owner b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    @Override
    public int compareTo(Owner other) {
        int bySegment = segment.compareTo(other.segment);
        if (bySegment != 0 || library.isEmpty() || other.library.isEmpty()) {
            return bySegment;
        }
        return LIBRARY_ORDER.compare(library.get(), other.library.get());
    }
}
