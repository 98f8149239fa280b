package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The order of reads at hosts that need not exist. */
class HostOrderTest {
    private static final ImageReference IMAGE = ImageReference.parse("r.example/a/b:c");
    private static final String BLOB = "blobs/sha256:0";

    private final AtomicLong clock = new AtomicLong(-5);
    private final List<String> tried = new ArrayList<>();
    private List<RegistryHost> hosts = List.of(host("https://m1"), host("https://m2"), host(""));
    private final OciRegistry.Options usual = OciRegistryTest.options(_ -> Optional.empty());
    private final OciRegistry.Options options = new OciRegistry.Options(
            usual.policy(), usual.logins(), usual.tls(), usual.answer(), usual.silence(), usual.rate(), 1, _ -> hosts);
    private final OciHttp http = new OciHttp(options);
    private final HostOrder order = new HostOrder(
            options, new Endpoint.Client(http, new Authorizations(options.logins(), http)), e -> e, clock::get);

    private static RegistryHost host(String url, Capability... capabilities) {
        Set<Capability> set = capabilities.length == 0 ? EnumSet.allOf(Capability.class) : Set.of(capabilities);
        return new RegistryHost(
                url.isEmpty() ? Optional.empty() : Optional.of(URI.create(url + "/v2")),
                set,
                HostTls.USUAL,
                Map.of(),
                Optional.empty());
    }

    private String read(String path, Map<String, IOException> failures) throws IOException {
        tried.clear();
        return order.read(IMAGE, path, host -> {
            tried.add(host.name());
            IOException failure = failures.get(host.name());
            if (failure != null) {
                throw failure;
            }
            return host.name();
        });
    }

    private static OciException refused(String host) {
        return OciException.at(host, new ConnectException("Connection refused"));
    }

    @Test
    void aMirrorThatCannotBeReachedIsLeftOutForAWhile() throws IOException {
        Map<String, IOException> down = Map.of("m1", refused("m1"));
        assertThat(read(BLOB, down)).isEqualTo("m2");
        assertThat(tried).containsExactly("m1", "m2");
        clock.addAndGet(Duration.ofSeconds(29).toNanos());
        assertThat(read(BLOB, down)).isEqualTo("m2");
        assertThat(tried).containsExactly("m2");
        clock.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(read(BLOB, Map.of())).isEqualTo("m1");
    }

    @Test
    void aMirrorThatAnswersIsNotLeftOut() throws IOException {
        Map<String, IOException> without = Map.of("m1", new OciException(Kind.NOT_FOUND, "the answer is 404"));
        for (int i = 0; i < 2; i++) {
            assertThat(read(BLOB, without)).isEqualTo("m2");
            assertThat(tried).containsExactly("m1", "m2");
        }
    }

    @Test
    void aMirrorThatIsLeftOutIsTheLastResort() throws IOException {
        hosts = List.of(host("https://m1"), host("https://s"));
        Map<String, IOException> down = Map.of("m1", refused("m1"), "s", refused("s"));
        assertThatThrownBy(() -> read(BLOB, down)).hasMessageStartingWith("s: Connection refused (mirrors: m1: ");
        assertThat(tried).containsExactly("m1", "s");
        assertThatThrownBy(() -> read(BLOB, down)).hasMessageStartingWith("s: Connection refused (mirrors: m1: ");
        assertThat(tried).containsExactly("s", "m1");
        assertThat(read(BLOB, Map.of("s", refused("s")))).isEqualTo("m1");
    }

    @Test
    void aMirrorForWhichAReaderHasWaitedInVainIsLeftOut() throws IOException {
        assertThatThrownBy(() -> order.read(IMAGE, BLOB, _ -> {
                    clock.addAndGet(Duration.ofSeconds(5).toNanos());
                    throw new OciException(Kind.CANCELLED, "interrupted");
                }))
                .hasMessage("interrupted");
        assertThat(read(BLOB, Map.of())).isEqualTo("m2");
    }

    @Test
    void theFailureIsTheRegistrysWithWhatTheMirrorsSaid() {
        Map<String, IOException> down = Map.of(
                "m1",
                refused("m1"),
                "m2",
                new OciException(Kind.UNAVAILABLE, "the answer is 503"),
                "r.example",
                new OciException(Kind.NOT_FOUND, "the answer is 404"));
        assertThatThrownBy(() -> read(BLOB, down))
                .isInstanceOfSatisfying(
                        OciException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND))
                .hasMessage("the answer is 404 (mirrors: m1: Connection refused; m2: the answer is 503)");
    }

    @Test
    void anInterruptedReadTriesNoOtherHost() {
        Map<String, IOException> ended = Map.of("m1", new OciException(Kind.CANCELLED, "interrupted"));
        assertThatThrownBy(() -> read(BLOB, ended)).hasMessage("interrupted");
        assertThat(tried).containsExactly("m1");
    }

    @Test
    void hostsAreTrustedWithTheirCapabilities() throws IOException {
        hosts = List.of(
                host("https://pull", Capability.PULL),
                host("https://resolve", Capability.RESOLVE, Capability.PULL),
                host("https://referrers", Capability.REFERRERS));
        assertThat(read(BLOB, Map.of())).isEqualTo("pull");
        assertThat(read("manifests/sha256:0", Map.of())).isEqualTo("pull");
        assertThat(read("manifests/tag", Map.of())).isEqualTo("resolve");
        assertThat(read("referrers/sha256:0?artifactType=x", Map.of())).isEqualTo("referrers");
        hosts = List.of(host("https://pull", Capability.PULL));
        assertThatThrownBy(() -> read("manifests/tag", Map.of()))
                .isInstanceOfSatisfying(
                        OciException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND))
                .hasMessageContaining("[pull, resolve]");
    }
}
