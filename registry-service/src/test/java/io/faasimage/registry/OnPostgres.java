package io.faasimage.registry;

import io.faasimage.testing.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A JUnit extension that runs the services of a test class on a real PostgreSQL server, which is started once for a
 * test JVM. Needs root, and the programs that Debian's package {@code postgresql} has; the server runs as its user, as
 * it refuses to run as root.
 */
public final class OnPostgres implements BeforeAllCallback, AfterAllCallback {
    private static final String USER = "postgres";
    private static final String SCHEMA = "faasimage";

    /** A database at the newest version of the schema; those of services begin as copies of it. */
    private static final String TEMPLATE = "migrated";

    private static final Map<Path, String> DATABASES = new HashMap<>();
    private static int port;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        startServer();
        TestService.database(this::settings);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        TestService.database(data -> Map.of());
    }

    private static synchronized void startServer() throws IOException, InterruptedException {
        if (port != 0) {
            return;
        }
        Path home = Files.createTempDirectory("faasimage-postgres");
        run("chown", USER, home.toString());
        as("initdb", "--pgdata=" + home.resolve("data"), "--auth=trust", "--no-sync");
        int free = Ports.free();
        as(
                "pg_ctl",
                "--pgdata=" + home.resolve("data"),
                "--log=" + home.resolve("log"),
                "--wait",
                "--options=-c listen_addresses=127.0.0.1 -c fsync=off -c unix_socket_directories=" + home + " -p "
                        + free,
                "start");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopServer(home)));
        port = free;
        execute("CREATE DATABASE " + TEMPLATE);
        Flyway.configure()
                .dataSource(url(TEMPLATE), USER, "")
                .schemas(SCHEMA)
                .locations("classpath:db/migration", "classpath:db/vendor/postgresql")
                .load()
                .migrate();
    }

    private static void stopServer(Path home) {
        try {
            as("pg_ctl", "--pgdata=" + home.resolve("data"), "--mode=immediate", "--wait", "stop");
            run("rm", "-rf", home.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where the service on a data directory has its tables: each has a database of its own. */
    public Map<String, String> settings(Path data) {
        return Map.of("spring.datasource.url", url(database(data)), "spring.datasource.username", USER);
    }

    private static synchronized String database(Path data) {
        return DATABASES.computeIfAbsent(data, directory -> {
            String name = "data" + DATABASES.size();
            execute("CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
            return name;
        });
    }

    private static String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?currentSchema=" + SCHEMA;
    }

    private static void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url(USER), USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Debian keeps the server's programs by version, outside of the path. */
    private static String program(String name) throws IOException {
        try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
            return versions.map(version -> version.resolve("bin").resolve(name))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    private static void as(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"));
        command.add(program(program));
        command.addAll(Arrays.asList(arguments));
        run(command.toArray(String[]::new));
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("faasimage-postgres", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(Path.of("/").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(
                        String.join(" ", command) + ": " + Files.readString(output, StandardCharsets.UTF_8));
            }
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
