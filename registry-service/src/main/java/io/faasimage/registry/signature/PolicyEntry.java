package io.faasimage.registry.signature;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One rule as it is written, which notes what is read of it, so that a field that nothing reads is an error. */
final class PolicyEntry {
    private final Map<?, ?> fields;
    private final Set<Object> read = new HashSet<>();

    private PolicyEntry(Map<?, ?> fields) {
        this.fields = fields;
    }

    static PolicyEntry of(Object rule) {
        if (rule instanceof Map<?, ?> fields) {
            return new PolicyEntry(fields);
        }
        throw new IllegalArgumentException("each rule must be a map");
    }

    String name() {
        return text("name");
    }

    /** A text that must be there. */
    String text(String field) {
        List<String> texts = texts(field);
        if (texts.size() != 1) {
            throw new IllegalArgumentException("'" + field + "' must be one text");
        }
        return texts.getFirst();
    }

    /** A text, or a list with at least one, that must be there. */
    List<String> texts(String field) {
        read.add(field);
        Object value = fields.get(field);
        if (value instanceof String text && !text.isBlank()) {
            return List.of(text);
        }
        if (value instanceof List<?> list
                && !list.isEmpty()
                && list.stream().allMatch(one -> one instanceof String text && !text.isBlank())) {
            return list.stream().map(String.class::cast).toList();
        }
        throw new IllegalArgumentException("'" + field + "' must be a text, or a list of texts; it is "
                + (value == null ? "missing" : "something else"));
    }

    void checkAllRead() {
        Set<Object> unknown = new HashSet<>(fields.keySet());
        unknown.removeAll(read);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown for this kind of rule: " + unknown);
        }
    }
}
