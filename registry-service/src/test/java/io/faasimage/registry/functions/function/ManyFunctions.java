package io.faasimage.registry.functions.function;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.springframework.jdbc.core.JdbcTemplate;

/** A generator of planned functions in a database, with libraries and starts, the same ones for the same number. */
public final class ManyFunctions {
    private static final int BATCH = 1000;
    private static final List<String> SEGMENTS = List.of("base", "lib", "func");

    private ManyFunctions() {}

    /** Adds {@code count} functions with an image of their own each, 20 libraries out of 400, and 2 cold starts. */
    public static void fill(JdbcTemplate jdbc, int count) {
        Random random = new Random(5);
        Timestamp now = Timestamp.from(Instant.now());
        List<Object[]> images = new ArrayList<>();
        List<Object[]> functions = new ArrayList<>();
        List<Object[]> plans = new ArrayList<>();
        List<Object[]> segments = new ArrayList<>();
        List<Object[]> libraries = new ArrayList<>();
        List<Object[]> starts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = "function-%05d".formatted(i);
            String image = digest("image " + i);
            String plan = digest("plan " + i);
            images.add(
                    new Object[] {image, "registry.test/" + name + ":1", 100_000_000L, digest("chain " + i), plan, now
                    });
            functions.add(new Object[] {name, "registry.test/" + name + ":1", image, "python3.12", now});
            plans.add(new Object[] {plan, image, digest("chain " + i), now});
            for (String segment : SEGMENTS) {
                segments.add(new Object[] {plan, segment, 200, 4_000_000L, 1_500_000L, 2000, 80_000_000L, 30_000_000L});
            }
            for (int j = 0; j < 20; j++) {
                int library = j * 20 + random.nextInt(20);
                libraries.add(
                        new Object[] {plan, j, "library-" + library, "1." + library % 7, 30, 1_000_000L + library});
            }
            for (int j = 0; j < 2; j++) {
                starts.add(new Object[] {
                    i + "-" + j,
                    Timestamp.from(Instant.now().minusSeconds(60L * j + i % 60)),
                    now,
                    image,
                    name,
                    500_000L + 1000L * j
                });
            }
        }
        batch(
                jdbc,
                "INSERT INTO images (digest, name, state, compressed_size, top_chain, plan, created)"
                        + " VALUES (?, ?, 'PLANNED', ?, ?, ?, ?)",
                images);
        batch(
                jdbc,
                "INSERT INTO functions (name, reference, image, runtime, created) VALUES (?, ?, ?, ?, ?)",
                functions);
        batch(
                jdbc,
                "INSERT INTO plans (digest, image, top_chain, created, version, runtime)"
                        + " VALUES (?, ?, ?, ?, 1, 'python3.12')",
                plans);
        batch(
                jdbc,
                "INSERT INTO plan_segments (plan, segment, startup_objects, startup_bytes, startup_stored, objects, bytes,"
                        + " stored) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                segments);
        batch(
                jdbc,
                "INSERT INTO plan_libraries (plan, position, ecosystem, name, version, objects, bytes)"
                        + " VALUES (?, ?, 'python', ?, ?, ?, ?)",
                libraries);
        batch(
                jdbc,
                "INSERT INTO start_records (id, node, started, started_hour, received, kind, cold, image, function,"
                        + " start_micros, demanded, detail) VALUES (?, 'node-1', ?, 0, ?, 'LAZY', TRUE, ?, ?, ?, 0, X'7B7D')",
                starts);
    }

    private static void batch(JdbcTemplate jdbc, String statement, List<Object[]> rows) {
        // In the order of the keys, H2 writes each page of rows a few times only.
        rows.sort(Comparator.comparing(row -> (String) row[0]));
        for (int i = 0; i < rows.size(); i += BATCH) {
            jdbc.batchUpdate(statement, rows.subList(i, Math.min(rows.size(), i + BATCH)));
        }
    }

    private static String digest(String text) {
        return Digest.of(text.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
