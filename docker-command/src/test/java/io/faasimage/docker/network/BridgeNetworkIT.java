package io.faasimage.docker.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The network with real plugins and a real packet filter: what comes with a container goes with it. */
final class BridgeNetworkIT {
    private static final String CONTAINER = "0123456789abcdef".repeat(4);
    private static final String ADDRESS = "10.209.0.2";

    @TempDir
    private Path leases;

    private List<String> before;
    private BridgeNetwork network;

    @BeforeEach
    void makeNetwork() throws IOException, InterruptedException {
        if (!Files.isExecutable(Path.of("/usr/sbin/iptables"))) {
            System.out.println("skipped: there is no iptables; install it");
            Assumptions.abort("there is no iptables; install it");
        }
        before = rules();
        network = new BridgeNetwork(new NetworkConfig("fitest0", "10.209.0.0/24", true, Optional.empty(), leases));
    }

    /**
     * The firewall plugin's own chains stay, as it means them to; here they go when they are empty and were not there
     * before.
     */
    @AfterEach
    void removeBridgeAndChains() throws IOException, InterruptedException {
        run("ip", "link", "delete", "fitest0");
        if (before != null && before.stream().noneMatch(rule -> rule.contains("CNI-"))) {
            run("sh", "-c", "iptables -S FORWARD | sed -n 's/^-A/-D/p' | grep CNI-FORWARD | xargs -r iptables");
            for (String chain : List.of("CNI-FORWARD", "CNI-ADMIN")) {
                run("iptables", "-F", chain);
            }
            for (String chain : List.of("CNI-FORWARD", "CNI-ADMIN")) {
                run("iptables", "-X", chain);
            }
        }
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out;
    }

    private static List<String> rules() throws IOException, InterruptedException {
        return (run("iptables", "-S") + run("iptables", "-t", "nat", "-S"))
                .lines()
                .toList();
    }

    private static List<String> own() throws IOException, InterruptedException {
        return rules().stream()
                .filter(rule -> rule.contains(ADDRESS) || rule.contains(CONTAINER))
                .toList();
    }

    private List<String> addresses() {
        return Arrays.stream(
                        Optional.ofNullable(leases.resolve("faasimage").toFile().list())
                                .orElse(new String[0]))
                .filter(name -> name.matches("[0-9.]+"))
                .toList();
    }

    @Test
    void rulesAndAddressesGoWithTheContainer() throws IOException, InterruptedException {
        assertThat(network.connect(CONTAINER)).isEqualTo(ADDRESS);
        assertThat(own()).isNotEmpty();
        assertThat(addresses()).containsExactly(ADDRESS);
        String inside = run("ip", "netns", "exec", "faasimage-0123456789ab", "ip", "-brief", "address");
        assertThat(inside).containsPattern("lo +UNKNOWN").contains(ADDRESS);
        network.disconnect(CONTAINER);
        nothingIsLeft();
    }

    @Test
    void whatWasOnlyBegunIsUndone() throws IOException, InterruptedException {
        run("ip", "netns", "add", "faasimage-0123456789ab");
        network.disconnect(CONTAINER);
        network.disconnect(CONTAINER);
        nothingIsLeft();
    }

    private void nothingIsLeft() throws IOException, InterruptedException {
        assertThat(own()).isEmpty();
        assertThat(addresses()).isEmpty();
        assertThat(BridgeNetwork.namespace(CONTAINER)).doesNotExist();
    }
}
