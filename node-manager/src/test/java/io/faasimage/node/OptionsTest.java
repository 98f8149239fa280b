package io.faasimage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.node.containerd.catalogue.CatalogueConfig;
import io.faasimage.node.link.service.PlanOrigin;
import io.faasimage.node.plans.rootfs.MountChoice;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void hasDefaults() {
        NodeConfig config = Options.parse(List.of());
        assertThat(config.root()).isEqualTo(Path.of("/var/lib/faasimage"));
        assertThat(config.nodeSocket()).isEqualTo(Path.of("/run/faasimage/node.sock"));
        assertThat(config.gateCommand()).containsExactly("faasimage-gate");
        assertThat(config.tokenFile()).isEmpty();
    }

    @Test
    void passesItsSettingsOnToTheGate() {
        NodeConfig config = Options.parse(List.of(
                "--gate-command",
                "/opt/gate -v",
                "--root",
                "/s",
                "--run",
                "/r",
                "--token-file",
                "/t",
                "--lookup-limit",
                "45",
                "--registry",
                "https://h:1, https://i:2",
                "--service-ca",
                "/ca.pem",
                "--plan-key",
                "/one.pem",
                "--plan-key",
                "/two.pem"));
        assertThat(config.planKeys()).containsExactly(Path.of("/one.pem"), Path.of("/two.pem"));
        assertThat(config.wholeGateCommand(false))
                .containsExactly(
                        "/opt/gate",
                        "-v",
                        "--store",
                        "/s",
                        "--mount",
                        "/s/gate",
                        "--fetch-timeout",
                        "45000ms",
                        "--control",
                        "/r/gate.sock",
                        "--agent",
                        "/r/objects.sock",
                        "--registry",
                        "https://h:1,https://i:2",
                        "--service-ca",
                        "/ca.pem",
                        "--token-file",
                        "/t");
        assertThat(config.wholeGateCommand(true))
                .containsSubsequence("--control", "/r/gate.sock", "--images", "/s/gate-images");
    }

    @Test
    void anEnrolledNodesGateReadsItsIdentity() {
        NodeConfig config = Options.parse(List.of("--root", "/s", "--enrol-token-file", "/e"));
        assertThat(config.wholeGateCommand(false)).endsWith("--token-file", "/s/identity");
        assertThatThrownBy(() -> Options.parse(List.of("--token-file", "/t", "--enrol-token-file", "/e")))
                .hasMessageContaining("exclude each other");
    }

    @Test
    void readsTheAuthoritiesOfRegistries() {
        assertThat(Options.parse(List.of()).registryAuthorities()).isEmpty();
        assertThat(Options.parse(List.of("--registry-ca", "/ca.pem")).registryAuthorities())
                .contains(Path.of("/ca.pem"));
    }

    @Test
    void readsTheDirectoriesOfRegistriesHosts() {
        assertThat(Options.parse(List.of()).registryHosts())
                .containsExactly(Path.of("/etc/containerd/certs.d"), Path.of("/etc/docker/certs.d"));
        assertThat(Options.parse(List.of("--registry-hosts", "/a:/b")).registryHosts())
                .containsExactly(Path.of("/a"), Path.of("/b"));
        assertThat(Options.parse(List.of("--registry-hosts", "none")).registryHosts())
                .isEmpty();
        assertThatThrownBy(() -> Options.parse(List.of("--registry-hosts", "/a::/b")))
                .hasMessageContaining("absolute directories");
    }

    @Test
    void keepsNoCatalogueByDefault() {
        assertThat(Options.parse(List.of()).catalogue().images()).isZero();
        CatalogueConfig catalogue = Options.parse(List.of(
                        "--catalogue",
                        "20",
                        "--catalogue-budget",
                        "5m",
                        "--catalogue-namespaces",
                        "k8s.io,openfaas-fn"))
                .catalogue();
        assertThat(catalogue).isEqualTo(new CatalogueConfig(20, 5_000_000, List.of("k8s.io", "openfaas-fn")));
        assertThatThrownBy(() -> Options.parse(List.of("--catalogue-budget", "5m")))
                .hasMessageContaining("need --catalogue");
        assertThatThrownBy(() -> Options.parse(List.of("--catalogue", "1", "--catalogue-namespaces", "a,")))
                .hasMessageContaining("namespaces of containerd");
    }

    @Test
    void choosesTheMounts() {
        assertThat(Options.parse(List.of()).mounts()).isEqualTo(MountChoice.AUTO);
        assertThat(Options.parse(List.of("--mounts", "fuse")).mounts()).isEqualTo(MountChoice.FUSE);
        assertThat(Options.parse(List.of("--mounts", "native")).mounts()).isEqualTo(MountChoice.NATIVE);
        assertThatThrownBy(() -> Options.parse(List.of("--mounts", "erofs")))
                .hasMessageContaining("must be auto, native or fuse");
    }

    @Test
    void readsBudgets() {
        NodeConfig config = Options.parse(List.of("--store-budget", "20g"));
        assertThat(config.budgets().storeBytes()).isEqualTo(20_000_000_000L);
        assertThatThrownBy(() -> Options.parse(List.of("--store-budget", "much")))
                .hasMessageContaining("--store-budget must be a number of bytes");
    }

    @Test
    void readsWhereMetricsAre() {
        assertThat(Options.parse(List.of()).metrics()).isEmpty();
        assertThat(Options.parse(List.of("--metrics", "127.0.0.1:9180")).metrics())
                .contains(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9180));
        assertThat(Options.parse(List.of("--metrics", "[::1]:7")).metrics().map(InetSocketAddress::getPort))
                .contains(7);
        for (String wrong : List.of("9180", ":9180", "127.0.0.1", "127.0.0.1:65536", "::1:80", "a b:1")) {
            assertThatThrownBy(() -> Options.parse(List.of("--metrics", wrong)))
                    .as(wrong)
                    .hasMessageContaining("must be ADDRESS:PORT");
        }
        assertThatThrownBy(() -> Options.parse(List.of("--metrics", "no-such-host.invalid:1")))
                .hasMessageContaining("there is no host");
    }

    @Test
    void refusesToSendTokensInPlainTextToAnotherMachine() {
        assertThat(Options.parse(List.of("--registry", "http://far:1"))
                        .transport()
                        .insecure())
                .isFalse();
        for (String file : List.of("--token-file", "--enrol-token-file")) {
            assertThatThrownBy(() -> Options.parse(List.of("--registry", "http://far:1", file, "/t")))
                    .hasMessageContainingAll("the token is not sent to http://far:1", "https://", "--insecure yes");
            assertThat(Options.parse(List.of("--registry", "http://far:1", file, "/t", "--insecure", "yes"))
                            .wholeGateCommand(false))
                    .containsSubsequence("--insecure", "yes");
        }
    }

    @Test
    void plansOfRegistriesNeedAKeyAndNoService() {
        assertThatThrownBy(() -> Options.parse(List.of("--plans", "registry")))
                .hasMessageContaining("--plans registry requires --plan-key");
        assertThatThrownBy(() -> Options.parse(List.of("--plans", "both")))
                .hasMessageContaining("--plans both requires --plan-key");
        assertThatThrownBy(() ->
                        Options.parse(List.of("--plans", "registry", "--plan-key", "/k", "--registry", "http://h:1")))
                .hasMessageContaining("use --plans both");
        NodeConfig config = Options.parse(List.of("--plans", "registry", "--plan-key", "/k"));
        assertThat(config.plans()).isEqualTo(PlanOrigin.REGISTRY);
        assertThat(config.wholeGateCommand(false)).doesNotContain("--registry");
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> Options.parse(List.of("--rot", "/x"))).hasMessageContaining("did you mean --root?");
        assertThatThrownBy(() -> Options.parse(List.of("--root"))).hasMessageContaining("--root needs a value");
        assertThatThrownBy(() -> Options.parse(List.of("--root", "/a", "--root", "/b")))
                .hasMessageContaining("given twice");
        assertThatThrownBy(() -> Options.parse(List.of("--registry", "example:80")))
                .hasMessageContaining("--registry must be");
        assertThatThrownBy(() -> Options.parse(List.of("--registry", "http://a b")))
                .hasMessageContaining("--registry must be");
        assertThatThrownBy(() -> Options.parse(List.of("--registry", "http://a,")))
                .hasMessageContaining("--registry must be");
        assertThatThrownBy(() -> Options.parse(List.of("--lookup-limit", "0")))
                .hasMessageContaining("--lookup-limit must be");
        assertThatThrownBy(() -> Options.parse(List.of("--containerd", "a.sock,")))
                .hasMessageContaining("1 to 9");
    }
}
