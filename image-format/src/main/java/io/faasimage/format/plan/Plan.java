package io.faasimage.format.plan;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.util.List;

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
 * @param prefetch for each object of the prefetch list its frames, and which of them starts read
 */
public record Plan(
        Digest image,
        Digest trace,
        List<PlanLayer> layers,
        List<Library> libraries,
        List<PlanObject> objects,
        List<PrefetchObject> prefetch) {
    /** Copies the lists, checks the references between them and that no object is twice. */
    public Plan {
        layers = List.copyOf(layers);
        libraries = List.copyOf(libraries);
        objects = List.copyOf(objects);
        prefetch = List.copyOf(prefetch);
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("a plan has at least one layer");
        }
        if (prefetch.size() > objects.size()) {
            throw new IllegalArgumentException("the prefetch list has " + prefetch.size() + " of " + objects.size());
        }
        for (PlanObject object : objects) {
            if (object.library() >= libraries.size()) {
                throw new IllegalArgumentException("no library with index " + object.library());
            }
        }
        if (objects.stream().map(PlanObject::digest).distinct().count() != objects.size()) {
            throw new IllegalArgumentException("an object is twice in the plan");
        }
        for (int i = 0; i < prefetch.size(); i++) {
            if (prefetch.get(i).frames().count()
                    != ObjectFrames.count(objects.get(i).size())) {
                throw new IllegalArgumentException("object " + i + " has frames of another size");
            }
        }
    }

    /** How many of the objects are the prefetch list. */
    public int startupCount() {
        return prefetch.size();
    }

    /** The chain ID of the whole image. */
    public ChainId topChain() {
        return layers.getLast().chainId();
    }

    /** The prefetch list in rank order. */
    public List<PlanObject> startup() {
        return objects.subList(0, startupCount());
    }

    /** Everything that is not in the prefetch list. */
    public List<PlanObject> rest() {
        return objects.subList(startupCount(), objects.size());
    }
}
