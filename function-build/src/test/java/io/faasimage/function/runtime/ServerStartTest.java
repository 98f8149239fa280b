package io.faasimage.function.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each language's server where the name server takes requests and never answers: it listens without a request to it.
 */
class ServerStartTest {
    /** Binds port 53, starts the server, waits until it answers; fails when the name server got a request. */
    private static final String SCRIPT = """
            import os, socket, subprocess, sys, time, urllib.request
            names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            names.bind(("127.0.0.1", 53))
            direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            server = subprocess.Popen(sys.argv[1:], env=dict(os.environ, PORT="8080"))
            try:
                while True:
                    try:
                        direct.open("http://127.0.0.1:8080/_/ready", timeout=60).read()
                        break
                    except OSError:
                        if server.poll() is not None:
                            sys.exit("the server ended")
                        time.sleep(0.02)
            finally:
                server.kill()
            names.setblocking(False)
            try:
                names.recv(512)
                sys.exit("the server asked the name server before it listened")
            except BlockingIOError:
                print("listens without a name server")
            """;

    @TempDir
    private Path work;

    @ParameterizedTest
    @CsvSource({"python,python3,server.py", "node,node,server.js", "php,php,start.sh", "ruby,ruby,server.rb"})
    void listensWithoutANameServer(String language, String program, String server) throws Exception {
        assumeTrue(
                run(
                                "sh",
                                "-euc",
                                "for p in python3 unshare ip " + program
                                        + "; do command -v $p; done; unshare -r -m -n true")
                        == 0,
                program + ", python3, unshare, ip or user namespaces are not on this machine");
        FunctionRuntime runtime = Runtimes.of(language);
        Path home = work.resolve("home/app");
        Files.createDirectories(home.resolve("function"));
        for (Map.Entry<String, String> file : runtime.files().entrySet()) {
            Files.writeString(home.resolve(Path.of("/home/app").relativize(Path.of(file.getKey()))), file.getValue());
        }
        for (Map.Entry<String, String> file : runtime.template("hello").entrySet()) {
            Files.writeString(home.resolve("function").resolve(file.getKey()), file.getValue());
        }
        Files.writeString(work.resolve("script.py"), SCRIPT);
        Files.writeString(work.resolve("resolv.conf"), "nameserver 127.0.0.1\noptions timeout:5 attempts:1\n");
        Files.writeString(work.resolve("hosts"), "127.0.0.1 localhost\n");
        // The files of the image have absolute paths below /home.
        String start = "ip link set lo up; hostname a-name-that-only-a-name-server-knows;"
                + " mount --bind home /home; mount --bind resolv.conf /etc/resolv.conf; mount --bind hosts /etc/hosts;"
                + " exec python3 script.py " + (server.endsWith(".sh") ? "sh" : program) + " /home/app/" + server;
        assertThat(run("unshare", "-r", "-m", "-n", "-u", "-p", "-f", "sh", "-euc", start))
                .as("output: " + Files.readString(work.resolve("output"), StandardCharsets.UTF_8))
                .isZero();
    }

    private int run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(command))
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("output").toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return process.waitFor();
    }
}
