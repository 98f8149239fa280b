package io.faasimage.node.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.node.record.ListeningPorts.Look;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With real processes; those without a namespace of their own share this one's network. */
@Timeout(60)
class ListeningPortsTest {
    private static final int OWN = (int) ProcessHandle.current().pid();
    /**
     * Listens on one port more with each line that it is sent, from a process below one below the first; says each time
     * which.
     */
    private static final String FUNCTION = "perl -MIO::Socket::INET -e '$| = 1; my @s; while (<STDIN>) {"
            + " push @s, IO::Socket::INET->new(Listen => 1) or die; print $s[-1]->sockport, \"\\n\" }' <&3 & wait";

    private static final String CONTAINER = "exec 3<&0; (" + FUNCTION + "; true) & wait";

    @Test
    void aPortThatIsListenedOnIsSeenOnce() throws Exception {
        ListeningPorts ports = new ListeningPorts(OWN);
        ports.look();
        try (ServerSocket _ = new ServerSocket(0)) {
            assertThat(ports.look()).isEqualTo(Look.GROWN);
            assertThat(ports.look()).isEqualTo(Look.SAME);
        }
        assertThat(ports.look()).isEqualTo(Look.SAME);
    }

    @Test
    void onlyPortsOfTheContainersOwnProcessesCountInTheHostsNetwork() throws Exception {
        try (Container container = new Container("sh", "-c", CONTAINER)) {
            ListeningPorts ports = new ListeningPorts(container.pid());
            assertThat(ports.look()).isEqualTo(Look.SAME);
            try (ServerSocket _ = new ServerSocket(0)) {
                assertThat(ports.look()).isEqualTo(Look.SAME);
                container.listen();
                assertThat(ports.look()).isEqualTo(Look.GROWN);
                assertThat(ports.look()).isEqualTo(Look.SAME);
                container.listen();
                assertThat(ports.look()).isEqualTo(Look.GROWN);
            }
        }
    }

    @Test
    void aNetworkOfItsOwnIsNoOtherCase() throws Exception {
        try (Container container = new Container("unshare", "--net", "sh", "-c", CONTAINER)) {
            container.listen();
            ListeningPorts ports = new ListeningPorts(container.pid());
            assertThat(ports.look()).isEqualTo(Look.GROWN);
            assertThat(ports.look()).isEqualTo(Look.SAME);
        }
    }

    @Test
    void aSocketInThePlaceOfAnotherIsFound() throws Exception {
        ServerSocket other = new ServerSocket(0);
        ListeningPorts ports = new ListeningPorts(OWN);
        assertThat(ports.look()).isEqualTo(Look.GROWN);
        other.close();
        try (ServerSocket _ = new ServerSocket(0)) {
            long begin = System.nanoTime();
            while (ports.look() != Look.GROWN) {
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
            }
        }
    }

    @Test
    void whatWouldTakeTooMuchReadingIsUnclear() throws Exception {
        try (Container container = new Container("unshare", "--net", "sh", "-c", CONTAINER)) {
            ListeningPorts descriptors = new ListeningPorts(container.pid(), 3);
            ListeningPorts sockets = new ListeningPorts(container.pid(), 0);
            container.listen();
            assertThat(descriptors.look()).isEqualTo(Look.UNCLEAR);
            assertThat(sockets.look()).isEqualTo(Look.UNCLEAR);
        }
    }

    @Test
    void aContainerThatHasEndedHasNoPorts() throws Exception {
        Container container = new Container("true");
        container.close();
        assertThatThrownBy(() -> new ListeningPorts(container.pid()).look()).isInstanceOf(IOException.class);
    }

    @Test
    void aTableIsReadAsFarAsSocketsListen() throws IOException {
        String table = """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 0100007F:1388 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0
                   1: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 13
                   2: 0100007F:A3F2 0100007F:1388 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 20 4 30 10 -1
                """;
        assertThat(ListeningPorts.listening(reader(table), 3))
                .containsOnlyKeys("socket:[11]", "socket:[13]")
                .containsEntry("socket:[11]", "1388")
                .containsEntry("socket:[13]", "1F90");
        assertThat(ListeningPorts.listening(reader(table), 1)).containsOnlyKeys("socket:[11]");
        assertThat(ListeningPorts.listening(reader(""), 3)).isEmpty();
    }

    private static BufferedReader reader(String text) {
        return new BufferedReader(new StringReader(text));
    }

    /** A first process. */
    private static final class Container implements AutoCloseable {
        private final Process process;

        Container(String... command) throws IOException {
            process = new ProcessBuilder(command).start();
        }

        int pid() {
            return (int) process.pid();
        }

        /** Has it listen on one more port, and returns when it does. */
        void listen() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            int read = process.getInputStream().read();
            while (read != '\n') {
                assertThat(read).isNotNegative();
                read = process.getInputStream().read();
            }
        }

        @Override
        public void close() throws IOException, InterruptedException {
            // The end of its input ends what is below it.
            process.getOutputStream().close();
            process.waitFor();
        }
    }
}
