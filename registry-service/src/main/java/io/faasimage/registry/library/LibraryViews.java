package io.faasimage.registry.library;

import io.faasimage.registry.library.LibraryList.Library;
import io.faasimage.registry.list.Slice;
import io.faasimage.registry.list.TextFilter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * A reader of the libraries of all planned functions. That takes a while with many functions: then a view may be some
 * seconds old, and the next one is made behind it. Thread-safe.
 */
@Component
class LibraryViews {
    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final Duration QUICK = Duration.ofMillis(50);

    private record Snapshot(List<Library> libraries, long made, long took) {
        boolean isFresh(long now) {
            return took > QUICK.toNanos() && now - made < FRESH.toNanos();
        }

        boolean isQuick() {
            return took <= QUICK.toNanos();
        }
    }

    private final JdbcClient jdbc;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Snapshot last;

    LibraryViews(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** One page of the libraries whose name contains {@code query}. */
    public LibraryList list(String query, int page) {
        int offset = Slice.offset(page);
        TextFilter.pattern(query);
        Snapshot snapshot = snapshot();
        String text = query.toLowerCase(Locale.ROOT);
        List<Library> fitting = snapshot.libraries().stream()
                .filter(library -> library.name().toLowerCase(Locale.ROOT).contains(text))
                .toList();
        List<Library> rows = fitting.stream().skip(offset).limit(Slice.SIZE).toList();
        return new LibraryList(Slice.of(rows, page, fitting.size()), query);
    }

    private Snapshot snapshot() {
        Snapshot known = last;
        if (known != null && known.isFresh(System.nanoTime())) {
            return known;
        }
        if (known == null || known.isQuick()) {
            return read();
        }
        if (!reading.isLocked()) {
            Thread.ofVirtual().name("libraries").start(this::read);
        }
        return known;
    }

    private Snapshot read() {
        long asked = System.nanoTime();
        reading.lock();
        try {
            Snapshot other = last;
            if (other != null && other.made() - asked > 0) {
                return other;
            }
            long begin = System.nanoTime();
            List<Library> libraries = libraries();
            long end = System.nanoTime();
            Snapshot made = new Snapshot(libraries, end, end - begin);
            last = made;
            return made;
        } finally {
            reading.unlock();
        }
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
