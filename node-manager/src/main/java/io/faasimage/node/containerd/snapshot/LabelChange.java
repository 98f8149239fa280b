package io.faasimage.node.containerd.snapshot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A change of a snapshot's labels, in containerd's terms.
 *
 * @param labels the new ones; one without a value is removed
 * @param fields {@code labels}, {@code labels.<name>} or nothing for all
 */
record LabelChange(Map<String, String> labels, List<String> fields) {
    private static final String ALL = "labels";
    private static final String ONE = ALL + ".";

    LabelChange {
        labels = Map.copyOf(labels);
        fields = List.copyOf(fields);
    }

    /**
     * The labels that {@code snapshot} has afterwards.
     *
     * @throws SnapshotException INVALID_ARGUMENT when a field is none of the labels
     */
    Map<String, String> applyTo(Snapshot snapshot) {
        Map<String, String> changed = new HashMap<>(fields.isEmpty() ? labels : snapshot.labels());
        for (String field : fields) {
            if (field.equals(ALL)) {
                changed.clear();
                changed.putAll(labels);
            } else if (field.startsWith(ONE)) {
                String name = field.substring(ONE.length());
                changed.put(name, labels.getOrDefault(name, ""));
            } else {
                throw SnapshotException.invalid("cannot update the field '" + field + "' of snapshot '" + snapshot.key()
                        + "'; only labels change");
            }
        }
        changed.values().removeIf(String::isEmpty);
        return changed;
    }
}
