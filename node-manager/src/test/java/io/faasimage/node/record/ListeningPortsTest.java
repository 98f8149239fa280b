package io.faasimage.node.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ListeningPortsTest {
    private static final int OWN = (int) ProcessHandle.current().pid();

    @Test
    void aPortThatIsListenedOnIsSeenOnce() throws Exception {
        ListeningPorts ports = new ListeningPorts(OWN);
        ports.haveGrown();
        try (ServerSocket socket = new ServerSocket(0)) {
            assertThat(ports.haveGrown()).isTrue();
            assertThat(ports.seen()).contains(String.format("%04X", socket.getLocalPort()));
            assertThat(ports.haveGrown()).isFalse();
        }
    }

    @Test
    void theHostsNetworkIsNotAContainersOwn() throws Exception {
        assertThat(new ListeningPorts(OWN).areOwn()).isFalse();
        Process container = new ProcessBuilder("unshare", "--net", "sh", "-c", "echo; read line").start();
        try {
            assertThat(container.getInputStream().read()).isEqualTo('\n');
            assertThat(new ListeningPorts((int) container.pid()).areOwn()).isTrue();
        } finally {
            container.destroyForcibly();
            container.waitFor();
        }
        assertThatThrownBy(() -> new ListeningPorts((int) container.pid()).areOwn())
                .isInstanceOf(IOException.class);
    }

    @Test
    void onlyListeningSocketsCount() {
        String table = """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 0100007F:1388 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0
                   1: 0100007F:A3F2 0100007F:1388 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 20 4 30 10 -1
                   2: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:0 0 0 0 13
                """;
        assertThat(ListeningPorts.ports(table)).containsExactlyInAnyOrder("1388", "1F90");
        assertThat(ListeningPorts.ports("")).isEmpty();
    }
}
