package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackedObject;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.PrefetchObject;
import io.faasimage.linux.PageCache;
import io.faasimage.node.link.event.Events;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.pack.Pack;
import io.faasimage.store.pack.Packs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The places of prefetch lists in this node's packs. A list is pulled into packs that have places for its objects
 * already, and into one new pack for the others. Thread-safe.
 */
public final class PackPlaces {
    private static final String TOPIC = "pull";
    /** Besides a new one. */
    private static final int MOST_PACKS = 7;

    private final Optional<Packs> packs;
    private final ObjectStore store;
    private final Events events;

    PackPlaces(ObjectStore store, Events events) {
        this.packs = store.packs();
        this.store = store;
        this.events = events;
    }

    /** Gives all objects of a prefetch list a place, except those that lie in the store as files. */
    synchronized void add(Plan plan) {
        if (packs.isEmpty()) {
            return;
        }
        Map<PlanObject, Packs.Place> here = new HashMap<>();
        plan.startup().forEach(object -> find(object).ifPresent(place -> here.put(object, place)));
        Set<Pack> kept = mostUsed(here.values());
        List<PackedObject> without = new ArrayList<>();
        List<Packs.Place> moved = new ArrayList<>();
        for (int i = 0; i < plan.startupCount(); i++) {
            PlanObject object = plan.objects().get(i);
            Packs.Place place = here.get(object);
            boolean isUsable = place == null || isUsable(place, plan.prefetch().get(i));
            boolean stays = place == null ? store.hasFile(object.digest()) : kept.contains(place.pack()) && isUsable;
            if (object.size() > 0 && !stays) {
                without.add(new PackedObject(
                        object.digest(), object.size(), plan.prefetch().get(i).frames()));
                Optional.ofNullable(place).filter(_ -> isUsable).ifPresent(moved::add);
            }
        }
        if (without.isEmpty()) {
            return;
        }
        try {
            Pack pack = packs.get().add(PlanCodec.digest(plan).hex(), without);
            for (Packs.Place place : moved) {
                packs.get().copy(place, pack);
            }
        } catch (IOException e) {
            events.fallback(
                    TOPIC,
                    "objects of plan " + PlanCodec.digest(plan) + " become files, as there is no pack for them: "
                            + Events.reason(e));
        }
    }

    /**
     * Whether frames of this plan fit a place: another maker of plans may have compressed the object otherwise. What is
     * there of it is right in any case.
     */
    private static boolean isUsable(Packs.Place place, PrefetchObject object) {
        PackTarget target = new PackTarget(place.pack(), place.object(), Part.STARTUP.frames(object));
        return target.frames().equals(object.frames()) || target.isPresent();
    }

    /** Those that have the most objects, and not so many that their mounts do not fit an overlay's options. */
    private static Set<Pack> mostUsed(Collection<Packs.Place> places) {
        Map<Pack, Long> counts =
                places.stream().collect(Collectors.groupingBy(Packs.Place::pack, Collectors.counting()));
        return counts.keySet().stream()
                .sorted(Comparator.comparing(counts::get).reversed())
                .limit(MOST_PACKS)
                .collect(Collectors.toSet());
    }

    private Optional<Packs.Place> find(PlanObject object) {
        return packs.flatMap(all -> all.use(object.digest()));
    }

    /** Where the frames of an object of the prefetch list go that a part of its plan has. */
    Optional<PackTarget> target(Plan plan, int index, Part part) {
        return find(plan.objects().get(index))
                .map(place -> new PackTarget(
                        place.pack(),
                        place.object(),
                        part.frames(plan.prefetch().get(index))));
    }

    /** Reads what starts read of an object of the prefetch list into the page cache, as far as it is here. */
    public void readAhead(Plan plan, int index) throws IOException {
        Optional<PackTarget> target = target(plan, index, Part.STARTUP).filter(PackTarget::isPresent);
        if (target.isPresent()) {
            target.get().readAhead();
        } else {
            PageCache.readAhead(store.path(plan.objects().get(index).digest()));
        }
    }

    /** The file of an object, in a pack or not; empty when what starts read of it is not here. */
    public Optional<Path> file(Plan plan, int index) {
        Digest object = plan.objects().get(index).digest();
        return store.hasFile(object)
                ? Optional.of(store.path(object))
                : target(plan, index, Part.STARTUP)
                        .filter(PackTarget::isPresent)
                        .map(PackTarget::file);
    }

    /** The mounts in which the objects of a prefetch list are, or will be; gives them their places first. */
    public List<Path> mounts(Plan plan) {
        add(plan);
        Set<Path> points = new LinkedHashSet<>();
        plan.startup()
                .forEach(object ->
                        find(object).map(Packs.Place::pack).map(Pack::point).ifPresent(points::add));
        return List.copyOf(points);
    }
}
