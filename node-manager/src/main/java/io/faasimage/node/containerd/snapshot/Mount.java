package io.faasimage.node.containerd.snapshot;

import io.faasimage.linux.IdMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A mount that containerd is to make, in the words of mount(8).
 *
 * @param type {@code bind} or {@code overlay}
 * @param source the directory to bind, else the word {@code overlay}
 * @param options as for {@code mount -o}; containerd's clients know {@code uidmap=} and {@code gidmap=} besides
 */
record Mount(String type, String source, List<String> options) {
    private static final String UIDS = "uidmap=";
    private static final String GIDS = "gidmap=";

    Mount {
        options = List.copyOf(options);
    }

    static Mount bind(Object directory, boolean writable) {
        return new Mount("bind", directory.toString(), List.of(writable ? "rw" : "ro", "rbind"));
    }

    static Mount overlay(List<String> options) {
        return new Mount("overlay", "overlay", options);
    }

    /** With one more option. */
    Mount with(String option) {
        List<String> more = new ArrayList<>(options);
        more.add(option);
        return new Mount(type, source, more);
    }

    /** With its ids mapped by the client, or by {@link OwnOverlay}. */
    Mount withIdMap(IdMap map) {
        return with(UIDS + map.uids()).with(GIDS + map.gids());
    }

    /** How its ids are mapped; empty when they are not. */
    Optional<IdMap> idMap() {
        return value(UIDS).flatMap(uids -> value(GIDS).map(gids -> new IdMap(uids, gids)));
    }

    Mount withoutIdMap() {
        List<String> left = new ArrayList<>(options);
        left.removeIf(option -> option.startsWith(UIDS) || option.startsWith(GIDS));
        return new Mount(type, source, left);
    }

    /** With other lower layers. */
    Mount withLowerdir(String lower) {
        UnaryOperator<String> exchange =
                option -> option.startsWith(SnapshotMounts.LOWERDIR) ? SnapshotMounts.LOWERDIR + lower : option;
        return new Mount(type, source, options.stream().map(exchange).toList());
    }

    private Optional<String> value(String prefix) {
        return options.stream()
                .filter(option -> option.startsWith(prefix))
                .map(option -> option.substring(prefix.length()))
                .findFirst();
    }
}
