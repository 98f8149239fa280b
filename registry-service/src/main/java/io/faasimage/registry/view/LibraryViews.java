package io.faasimage.registry.view;

import io.faasimage.registry.view.LibraryList.Library;
import io.faasimage.registry.view.LibraryList.Redundancy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads the libraries of all planned functions, and how much of them is in common. Thread-safe. */
@Component
public class LibraryViews {
    private static final int COMPARED = 24;
    private static final String USED = " FROM plan_libraries l JOIN images i ON i.plan = l.plan"
            + " JOIN functions f ON f.image = i.digest WHERE LOWER(l.name) LIKE :text ESCAPE '!'";

    private final JdbcClient jdbc;

    LibraryViews(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** One page of the libraries whose name contains {@code query}. */
    public LibraryList list(String query, int page) {
        int offset = Slice.offset(page);
        String text = FunctionViews.pattern(query);
        long planned = jdbc.sql("SELECT COUNT(*) FROM functions f JOIN images i ON i.digest = f.image"
                        + " WHERE i.plan IS NOT NULL")
                .query(Long.class)
                .single();
        long total = jdbc.sql("SELECT COUNT(*) FROM (SELECT DISTINCT l.ecosystem, l.name, l.version" + USED + ") AS d")
                .param("text", text)
                .query(Long.class)
                .single();
        List<Library> libraries = jdbc.sql("SELECT l.ecosystem, l.name, l.version, MAX(l.bytes) AS bytes,"
                        + " COUNT(*) AS users" + USED + " GROUP BY l.ecosystem, l.name, l.version"
                        + " ORDER BY users DESC, bytes DESC, l.name, l.version, l.ecosystem"
                        + " OFFSET :offset ROWS FETCH FIRST " + Slice.SIZE + " ROWS ONLY")
                .param("text", text)
                .param("offset", offset)
                .query((row, number) -> new Library(
                        row.getString("ecosystem"),
                        row.getString("name"),
                        row.getString("version"),
                        row.getLong("bytes"),
                        row.getLong("users"),
                        (double) row.getLong("users") / Math.max(1, planned)))
                .list();
        return new LibraryList(Slice.of(libraries, page, total), query, redundancy());
    }

    /** Of the images with the most library content, one function each. */
    private Redundancy redundancy() {
        Map<String, String> names = new LinkedHashMap<>();
        jdbc.sql("SELECT s.plan, MIN(f.name) AS name, s.bytes FROM plan_segments s JOIN images i ON i.plan = s.plan"
                        + " JOIN functions f ON f.image = i.digest WHERE s.segment = 'lib' AND s.bytes > 0"
                        + " GROUP BY s.plan, s.bytes ORDER BY s.bytes DESC, name FETCH FIRST " + COMPARED
                        + " ROWS ONLY")
                .query(row -> {
                    names.put(row.getString("plan"), row.getString("name"));
                });
        if (names.isEmpty()) {
            return new Redundancy(List.of(), List.of(), 0);
        }
        Map<String, Map<String, Long>> libraries = new HashMap<>();
        jdbc.sql("SELECT plan, ecosystem, name, version, bytes FROM plan_libraries WHERE plan IN (:plans)")
                .param("plans", names.keySet())
                .query(row -> {
                    libraries
                            .computeIfAbsent(row.getString("plan"), plan -> new HashMap<>())
                            .put(
                                    row.getString("ecosystem") + "\n" + row.getString("name") + "\n"
                                            + row.getString("version"),
                                    row.getLong("bytes"));
                });
        return redundancy(names, libraries);
    }

    private static Redundancy redundancy(Map<String, String> names, Map<String, Map<String, Long>> libraries) {
        List<List<Double>> share = new ArrayList<>();
        double sum = 0;
        for (String row : names.keySet()) {
            List<Double> line = new ArrayList<>();
            for (String column : names.keySet()) {
                double common = common(libraries.getOrDefault(row, Map.of()), libraries.getOrDefault(column, Map.of()));
                line.add(common);
                sum += row.equals(column) ? 0 : common;
            }
            share.add(line);
        }
        int pairs = names.size() * (names.size() - 1);
        return new Redundancy(List.copyOf(names.values()), share, pairs == 0 ? 0 : sum / pairs);
    }

    private static double common(Map<String, Long> row, Map<String, Long> column) {
        long all = row.values().stream().mapToLong(Long::longValue).sum();
        long shared = row.entrySet().stream()
                .filter(library -> column.containsKey(library.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
        return all == 0 ? 0 : (double) shared / all;
    }
}
