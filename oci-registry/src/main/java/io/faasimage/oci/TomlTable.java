package io.faasimage.oci;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A table of a TOML file; its errors name the key.
 *
 * @param name in messages, with a space behind it; empty for the file itself
 */
record TomlTable(String name, JsonNode node) {
    /** The tables in a table, in their order; none if there is no such key. */
    List<TomlTable> tables(String key) throws IOException {
        List<TomlTable> tables = new ArrayList<>();
        for (var entry : table(key).node().properties()) {
            String named = name + "[" + key + ".\"" + entry.getKey() + "\"] ";
            if (!entry.getValue().isObject()) {
                throw new IOException(named + "must be a table");
            }
            tables.add(new TomlTable(named, entry.getValue()));
        }
        return tables;
    }

    /** The names of what is in it, in their order. */
    List<String> keys() {
        return List.copyOf(node.propertyNames());
    }

    /** A table in the table; an empty one if there is no such key. */
    TomlTable table(String key) throws IOException {
        JsonNode found = node.path(key);
        if (!found.isObject() && !found.isMissingNode()) {
            throw wrong(key, "a table");
        }
        return new TomlTable(name + "[" + key + "] ", found);
    }

    Optional<String> text(String key) throws IOException {
        JsonNode found = node.path(key);
        if (!found.isString() && !found.isMissingNode()) {
            throw wrong(key, "a string");
        }
        return found.isMissingNode() ? Optional.empty() : Optional.of(found.stringValue());
    }

    Optional<Boolean> flag(String key) throws IOException {
        JsonNode found = node.path(key);
        if (!found.isBoolean() && !found.isMissingNode()) {
            throw wrong(key, "true or false");
        }
        return found.isMissingNode() ? Optional.empty() : Optional.of(found.booleanValue());
    }

    /** A list of strings. */
    List<String> list(String key) throws IOException {
        JsonNode found = node.path(key);
        if (!found.isArray() && !found.isMissingNode()) {
            throw wrong(key, "a list of strings");
        }
        return strings(key, found);
    }

    /** A string, or a list of them. */
    List<String> texts(String key) throws IOException {
        JsonNode found = node.path(key);
        return found.isString() ? List.of(found.stringValue()) : list(key);
    }

    /** A string, or a list of strings and of lists of them. */
    List<List<String>> lists(String key) throws IOException {
        JsonNode found = node.path(key);
        if (!found.isArray()) {
            return texts(key).stream().map(List::of).toList();
        }
        List<List<String>> lists = new ArrayList<>();
        for (JsonNode one : found) {
            lists.add(one.isString() ? List.of(one.stringValue()) : strings(key, one));
        }
        return lists;
    }

    private List<String> strings(String key, JsonNode list) throws IOException {
        List<String> strings = new ArrayList<>();
        for (JsonNode one : list) {
            if (!one.isString()) {
                throw wrong(key, "of strings");
            }
            strings.add(one.stringValue());
        }
        if (!list.isArray() && !list.isMissingNode()) {
            throw wrong(key, "of strings");
        }
        return strings;
    }

    /** The failure of a value. */
    IOException wrong(String key, String expected) {
        return new IOException(name + key + " must be " + expected);
    }
}
