package io.faasimage.registry.functions.library;

import io.faasimage.registry.functions.library.LibraryList.Library;
import io.faasimage.registry.platform.list.Slice;
import io.faasimage.registry.platform.list.SlowView;
import io.faasimage.registry.platform.list.TextFilter;
import java.util.List;
import java.util.Locale;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** A reader of the libraries of all planned functions. Thread-safe. */
@Component
class LibraryViews {
    private final JdbcClient jdbc;
    private final SlowView<List<Library>> view = new SlowView<>("libraries", this::libraries);

    LibraryViews(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** One page of the libraries whose name contains {@code query}. */
    public LibraryList list(String query, int page) {
        int offset = Slice.offset(page);
        TextFilter.pattern(query);
        String text = query.toLowerCase(Locale.ROOT);
        List<Library> fitting = view.get().stream()
                .filter(library -> library.name().toLowerCase(Locale.ROOT).contains(text))
                .toList();
        List<Library> rows = fitting.stream().skip(offset).limit(Slice.SIZE).toList();
        return new LibraryList(Slice.of(rows, page, fitting.size()), query);
    }

    private List<Library> libraries() {
        long planned = jdbc.sql("SELECT COUNT(*) FROM functions f JOIN images i ON i.digest = f.image"
                        + " WHERE i.plan IS NOT NULL")
                .query(Long.class)
                .single();
        return jdbc.sql("SELECT l.ecosystem, l.name, l.version, MAX(l.bytes) AS bytes, COUNT(*) AS users"
                        + " FROM plan_libraries l JOIN images i ON i.plan = l.plan JOIN functions f ON f.image = i.digest"
                        + " GROUP BY l.ecosystem, l.name, l.version"
                        + " ORDER BY users DESC, bytes DESC, l.name, l.version, l.ecosystem")
                .query((row, number) -> new Library(
                        row.getString("ecosystem"),
                        row.getString("name"),
                        row.getString("version"),
                        row.getLong("bytes"),
                        row.getLong("users"),
                        (double) row.getLong("users") / Math.max(1, planned)))
                .list();
    }
}
