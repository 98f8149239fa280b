package io.faasimage.registry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs the services of a test class on a real PostgreSQL server, which is started for the class. Needs root, and the
 * programs that Debian's package {@code postgresql} has; the server runs as its user, as it refuses to run as root.
 */
public final class OnPostgres implements BeforeAllCallback, AfterAllCallback {
    private static final String USER = "postgres";

    private Optional<Path> home = Optional.empty();
    private int port;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        Path directory = Files.createTempDirectory("faasimage-postgres");
        home = Optional.of(directory);
        run("chown", USER, directory.toString());
        as("initdb", "--pgdata=" + directory.resolve("data"), "--auth=trust", "--no-sync");
        port = Ports.free();
        as(
                "pg_ctl",
                "--pgdata=" + directory.resolve("data"),
                "--log=" + directory.resolve("log"),
                "--wait",
                "--options=-c listen_addresses=127.0.0.1 -c fsync=off -c unix_socket_directories=" + directory + " -p "
                        + port,
                "start");
        TestService.database(this::settings);
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        TestService.database(data -> Map.of());
        if (home.isPresent()) {
            as("pg_ctl", "--pgdata=" + home.get().resolve("data"), "--mode=fast", "--wait", "stop");
            run("rm", "-rf", home.get().toString());
        }
    }

    /** Where the service on a data directory has its tables: each has a schema of its own. */
    public Map<String, String> settings(Path data) {
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        String schema = "s" + Integer.toHexString(data.hashCode());
        try (Connection connection = DriverManager.getConnection(url, USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return Map.of("spring.datasource.url", url + "?currentSchema=" + schema, "spring.datasource.username", USER);
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
