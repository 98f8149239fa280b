package io.faasimage.format.plan;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A plan: everything known about one refactored image. The SHA-256 of the encoded form ({@link PlanCodec}) is the
 * plan's name; the same image, trace and engine version give the same bytes.
 *
 * @param image digest of the platform's image manifest, the user's own
 * @param trace digest of the encoded trace that it was made from
 * @param layers one per layer of the image, bottom first; not empty
 * @param libraries the third-party libraries, sorted
 * @param objects every object that any prefix of the layers refers to, without duplicates: first the prefetch list
 *     in rank order, then the rest by digest
 * @param startupCount how many of {@code objects} are the prefetch list
 * @param pieced those large objects of the prefetch list that can also be fetched in pieces, in the order of the list
 */
public record Plan(
        Digest image,
        Digest trace,
        List<PlanLayer> layers,
        List<Library> libraries,
        List<PlanObject> objects,
        int startupCount,
        List<PiecedObject> pieced) {
    /** Copies the lists, checks the references between them and that no object is twice. */
    public Plan {
        layers = List.copyOf(layers);
        libraries = List.copyOf(libraries);
        objects = List.copyOf(objects);
        pieced = List.copyOf(pieced);
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("a plan has at least one layer");
        }
        if (startupCount < 0 || startupCount > objects.size()) {
            throw new IllegalArgumentException("start-up count out of range: " + startupCount);
        }
        for (PlanObject object : objects) {
            if (object.library() >= libraries.size()) {
                throw new IllegalArgumentException("no library with index " + object.library());
            }
        }
        if (objects.stream().map(PlanObject::digest).distinct().count() != objects.size()) {
            throw new IllegalArgumentException("an object is twice in the plan");
        }
        int next = 0;
        for (PiecedObject object : pieced) {
            if (object.object() < next || object.object() >= startupCount) {
                throw new IllegalArgumentException("object " + object.object()
                        + " has pieces and is not in the prefetch list, or not in its order");
            }
            object.check(objects.get(object.object()).size());
            next = object.object() + 1;
        }
    }

    /** A plan whose objects can be fetched as a whole only. */
    public Plan(
            Digest image,
            Digest trace,
            List<PlanLayer> layers,
            List<Library> libraries,
            List<PlanObject> objects,
            int startupCount) {
        this(image, trace, layers, libraries, objects, startupCount, List.of());
    }

    /** The chain ID of the whole image. */
    public ChainId topChain() {
        return layers.getLast().chainId();
    }

    /** The prefetch list in rank order. */
    public List<PlanObject> startup() {
        return objects.subList(0, startupCount);
    }

    /**
     * All pieces, as the objects that they are: those of the first object of {@link #pieced} first. Requests count them
     * on from the plan's objects.
     */
    public List<PlanObject> pieces() {
        List<PlanObject> pieces = new ArrayList<>();
        for (PiecedObject large : pieced) {
            PlanObject object = objects.get(large.object());
            for (Piece piece : large.pieces()) {
                pieces.add(new PlanObject(
                        piece.digest(),
                        piece.size(large.chunkBytes(), object.size()),
                        object.segment(),
                        object.library()));
            }
        }
        return pieces;
    }

    /** The numbers of the pieces that starts read, counted on from the plan's objects, ascending. */
    public IntStream startupPieces() {
        IntStream.Builder numbers = IntStream.builder();
        int next = objects.size();
        for (PiecedObject large : pieced) {
            for (int i = 0; i < large.startupCount(); i++) {
                numbers.add(next + i);
            }
            next += large.pieces().size();
        }
        return numbers.build();
    }

    /** Everything that is not in the prefetch list. */
    public List<PlanObject> rest() {
        return objects.subList(startupCount, objects.size());
    }
}
