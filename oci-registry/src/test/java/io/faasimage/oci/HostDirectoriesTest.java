package io.faasimage.oci;

import static io.faasimage.oci.Capability.PULL;
import static io.faasimage.oci.Capability.PUSH;
import static io.faasimage.oci.Capability.REFERRERS;
import static io.faasimage.oci.Capability.RESOLVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of hosts, as containerd reads them. */
class HostDirectoriesTest {
    @TempDir
    private Path first;

    @TempDir
    private Path second;

    private final List<String> problems = new ArrayList<>();

    private HostDirectories directories;

    @BeforeEach
    void open() {
        directories = new HostDirectories(
                List.of(first.resolve("not-there"), first, second), Optional.empty(), problems::add);
    }

    private static Path write(Path root, String name, String toml) throws IOException {
        return Files.writeString(Files.createDirectories(root.resolve(name)).resolve("hosts.toml"), toml);
    }

    private List<String> roots(String registry) throws IOException {
        return directories.of(registry).stream()
                .map(host -> host.root().map(URI::toString).orElse("itself"))
                .toList();
    }

    private RegistryHost only(String toml) throws IOException {
        write(first, "r", toml);
        return directories.of("r").getFirst();
    }

    @Test
    void theFirstDirectoryOfARegistryCounts() throws IOException {
        assertThat(directories.of("r:5000")).isEmpty();
        write(second, "_default", "[host.'http://f']");
        assertThat(roots("r:5000")).containsExactly("http://f/v2", "itself");
        write(second, "r:5000", "[host.'http://e']");
        assertThat(roots("r:5000")).containsExactly("http://e/v2", "itself");
        write(second, "r_5000_", "[host.'http://d']");
        assertThat(roots("r:5000")).containsExactly("http://d/v2", "itself");
        write(first, "_default", "[host.'http://c']");
        assertThat(roots("r:5000")).containsExactly("http://c/v2", "itself");
        write(first, "r:5000", "[host.'http://b']");
        assertThat(roots("r:5000")).containsExactly("http://b/v2", "itself");
        write(first, "r_5000_", "[host.'http://a']");
        assertThat(roots("r:5000")).containsExactly("http://a/v2", "itself");
    }

    @Test
    void aNameWithAPortDoesNotFindTheOneWithout() throws IOException {
        write(first, "r", "[host.'http://a']");
        assertThat(roots("r:5000")).isEmpty();
        assertThat(roots("r")).containsExactly("http://a/v2", "itself");
    }

    @Test
    void hostsKeepTheOrderOfTheFile() throws IOException {
        write(first, "docker.io", """
                server = "https://registry-1.docker.io"
                [host."https://z.example"]
                [host."https://z.example".header]
                  x = "1"
                [host."http://10.0.0.1:5000/cache"]
                [host."https://a.example"]
                """);
        assertThat(roots("docker.io"))
                .containsExactly(
                        "https://z.example/v2",
                        "http://10.0.0.1:5000/cache/v2",
                        "https://a.example/v2",
                        "https://registry-1.docker.io/v2");
    }

    @ParameterizedTest
    @CsvSource({
        "m.example, false, https://m.example/v2",
        "https://m.example:8443/, false, https://m.example:8443/v2",
        "http://m.example/v2/, false, http://m.example/v2",
        "https://m.example/v2/hub, false, https://m.example/v2/hub/v2",
        "https://m.example/v2/hub, true, https://m.example/v2/hub",
        "https://m.example, true, https://m.example",
        "http://[::1]:5000, false, http://[::1]:5000/v2",
        "https://user:secret@m.example, false, https://m.example/v2"
    })
    void thePathOfTheInterfaceIsAdded(String url, boolean overridden, String root) throws IOException {
        RegistryHost host = only("[host.'" + url + "']\noverride_path = " + overridden);
        assertThat(host.root()).contains(URI.create(root));
    }

    @Test
    void settingsOfAHostAreRead() throws IOException {
        RegistryHost host = only("""
                [host."https://m.example"]
                  capabilities = ["Pull", "referrers"]
                  skip_verify = true
                  dial_timeout = "1.5s"
                  unknown = 1
                [host."https://m.example".header]
                  x-one = "a"
                  x-two = ["b", "c"]
                """);
        assertThat(host.capabilities()).containsExactlyInAnyOrder(PULL, REFERRERS);
        assertThat(host.tls().skipsVerification()).isTrue();
        assertThat(host.dialTimeout()).contains(Duration.ofMillis(1500));
        assertThat(host.headers()).isEqualTo(Map.of("x-one", List.of("a"), "x-two", List.of("b", "c")));
    }

    @Test
    void settingsAreThoseOfContainerdByDefault() throws IOException {
        RegistryHost host = only("[host.'https://m.example']");
        assertThat(host.capabilities()).containsExactlyInAnyOrder(PULL, RESOLVE, PUSH, REFERRERS);
        assertThat(host.tls()).isEqualTo(HostTls.USUAL);
        assertThat(host.dialTimeout()).isEmpty();
        assertThat(host.headers()).isEmpty();
    }

    @Test
    void theServerHasTheSettingsOfTheFile() throws IOException {
        RegistryHost server = only("server = 'http://s:5000'\ncapabilities = ['pull']\n[header]\na = 'b'");
        assertThat(server.root()).contains(URI.create("http://s:5000/v2"));
        assertThat(server.capabilities()).containsExactly(PULL);
        assertThat(server.headers()).containsKey("a");
        RegistryHost itself = only("capabilities = ['pull']\nskip_verify = true");
        assertThat(itself.root()).isEmpty();
        assertThat(itself.capabilities()).as("of the registry itself").contains(PULL, RESOLVE);
        assertThat(itself.tls().skipsVerification()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "http://m, '', PLAIN",
        "http://m:5000, skip_verify = true, UNVERIFIED PLAIN",
        "http://m:5000, skip_verify = false, TLS PLAIN",
        "http://m:80, skip_verify = true, PLAIN",
        "https://m, '', TLS",
        "https://m, skip_verify = true, UNVERIFIED"
    })
    void tlsGoesFirstWhereItIsConfigured(String url, String setting, String protocols) throws IOException {
        RegistryHost host = only("[host.'" + url + "']\n" + setting);
        assertThat(host.protocols().stream().map(Enum::name)).containsExactly(protocols.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server = ~not TOML, line 1",
                "server = 1~server must be a string",
                "server = 'ftp://x'~server 'ftp://x' must be http",
                "[host.'ftp://x']~[host.\"ftp://x\"] must be http",
                "[host.'https://a_b']~must be http://HOST[:PORT]",
                "[host]\n'https://x' = 1~[host.\"https://x\"] must be a table",
                "host = 1~host must be a table",
                "[host.'https://x']\ncapabilities = ['pul']~[host.\"https://x\"] capabilities must be of pull",
                "capabilities = 'pull'~capabilities must be a list",
                "skip_verify = 'yes'~skip_verify must be true or false",
                "dial_timeout = '1 s'~dial_timeout '1 s' is not a time",
                "dial_timeout = '-1s'~dial_timeout '-1s' is not a time",
                "ca = 'none.pem'~none.pem does not exist",
                "ca = 1~ca must be a list of strings",
                "client = [['a', 'b', 'c']]~client must be a file",
                "client = ['none.pem']~none.pem does not exist",
                "[header]\nx = 1~[header] x must be",
                "[header]\nx = \"a\\nb\"~[header] 'x' is no header",
                "[header]\n'a b' = 'x'~[header] 'a b' is no header"
            })
    void aBrokenFileIsNamed(String content) throws IOException {
        int tilde = content.lastIndexOf('~');
        Path file = write(first, "r", content.substring(0, tilde));
        assertThat(roots("r")).as("without mirrors").containsExactly("itself");
        assertThat(roots("r")).containsExactly("itself");
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith(file + ": ")
                .contains(content.substring(tilde + 1))
                .endsWith("; no mirror is used");
        write(first, "r", "[host.'http://mended']");
        assertThat(roots("r")).containsExactly("http://mended/v2", "itself");
    }

    @Test
    void theMirrorsOfAFileThatBreaksAreUsedOn() throws IOException {
        write(first, "r", "[host.'http://good']");
        assertThat(roots("r")).containsExactly("http://good/v2", "itself");
        write(first, "r", "[host.'http://half");
        assertThat(roots("r")).containsExactly("http://good/v2", "itself");
        assertThat(problems).singleElement().asString().endsWith("are used on");
    }

    @Test
    void aFileInThePlaceOfADirectoryIsAnError() throws IOException {
        Path file = Files.writeString(first.resolve("r"), "x");
        assertThatThrownBy(() -> directories.of("r")).hasMessage(file + " is not a directory");
    }

    @Test
    void filesAreReadAgainWhenTheyHaveChanged() throws IOException {
        Path file = write(first, "r", "[host.'http://a']");
        List<RegistryHost> before = directories.of("r");
        assertThat(directories.of("r")).as("the file is as it was").isSameAs(before);
        Files.writeString(file, "[host.'http://another']");
        assertThat(roots("r")).containsExactly("http://another/v2", "itself");
        Files.delete(file);
        assertThat(roots("r")).containsExactly("itself");
        Files.delete(file.getParent());
        assertThat(directories.of("r")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"300ms, 300000000", "1m30.5s, 90500000000", "1h, 3600000000000", "2us3ns, 2003", "0, 0", ".5ms, 500000"
    })
    void timesAreThoseOfGo(String text, long nanos) {
        assertThat(GoDuration.parse(text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "s", "1 s", "1x", "1s1", "-1s"})
    void otherTimesAreRefused(String text) {
        assertThatThrownBy(() -> GoDuration.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
