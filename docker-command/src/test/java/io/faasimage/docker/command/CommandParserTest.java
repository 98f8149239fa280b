package io.faasimage.docker.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.faasimage.docker.command.RunOptions.Ulimit;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command lines that OpenWhisk 2.0.0 sends, and some that it does not. */
final class CommandParserTest {
    private static final String ID = "0123456789abcdef".repeat(4);

    private static Command parse(String line) throws UsageException {
        return CommandParser.parse(List.of(line.split(" ")));
    }

    @Test
    void theRunOfAnInvoker() throws UsageException {
        Command.Run run = (Command.Run)
                parse(
                        "run -d --cpu-shares 256 --memory 256m --memory-swap 256m --network bridge"
                                + " -e __OW_API_HOST=http://10.0.0.1:3233 -e A=b=c --name wsk0_1_guest_hello --pids-limit 1024"
                                + " --cap-drop NET_RAW --cap-drop NET_ADMIN --ulimit nofile=1024:1024 --log-driver json-file"
                                + " --cpus 0.5 --dns 10.0.0.2 --dns-search x.example --dns-option ndots:2 registry:5000/a/hello:1");
        assertThat(run.image()).isEqualTo("registry:5000/a/hello:1");
        assertThat(run.arguments()).isEmpty();
        RunOptions options = run.options();
        assertThat(options.name()).contains("wsk0_1_guest_hello");
        assertThat(options.environment()).containsExactly("__OW_API_HOST=http://10.0.0.1:3233", "A=b=c");
        assertThat(options.memoryBytes()).contains(256L << 20);
        assertThat(options.memorySwapBytes()).contains(256L << 20);
        assertThat(options.cpuShares()).contains(256L);
        assertThat(options.nanoCpus()).contains(500_000_000L);
        assertThat(options.pidsLimit()).contains(1024L);
        assertThat(options.capDrop()).containsExactly("NET_RAW", "NET_ADMIN");
        assertThat(options.ulimits()).containsExactly(new Ulimit("nofile", 1024, 1024));
        assertThat(options.dns().servers()).containsExactly("10.0.0.2");
        assertThat(options.dns().search()).containsExactly("x.example");
        assertThat(options.dns().options()).containsExactly("ndots:2");
    }

    @Test
    void theOtherCallsOfAnInvoker() throws UsageException {
        Command.Ps ps = (Command.Ps) parse("ps --quiet --no-trunc --all --filter name=wsk0_");
        assertThat(ps.all()).isTrue();
        assertThat(ps.names())
                .singleElement()
                .satisfies(name -> assertThat(name.matcher("wsk0_1_x").find()).isTrue());
        assertThat(parse("inspect --format {{.NetworkSettings.Networks.bridge.IPAddress}} " + ID))
                .isEqualTo(new Command.Inspect(List.of(ID), new InspectFormat.Address("bridge")));
        assertThat(parse("inspect " + ID + " --format {{.State.OOMKilled}}"))
                .isEqualTo(new Command.Inspect(List.of(ID), new InspectFormat.OutOfMemory()));
        Command.Logs logs =
                (Command.Logs) parse("logs " + ID + " --since 1700000000 --until 1700000002.5 --timestamps");
        assertThat(logs.since()).contains(Instant.ofEpochSecond(1_700_000_000));
        assertThat(logs.until()).contains(Instant.ofEpochSecond(1_700_000_002, 500_000_000));
        assertThat(logs.timestamps()).isTrue();
        assertThat(parse("rm -f " + ID)).isEqualTo(new Command.Rm(List.of(ID), true));
        assertThat(parse("pause " + ID)).isEqualTo(new Command.Pause(List.of(ID)));
        assertThat(parse("unpause " + ID)).isEqualTo(new Command.Unpause(List.of(ID)));
        assertThat(parse("pull a/b:1")).isEqualTo(new Command.Pull("a/b:1"));
    }

    @Test
    void zeroMeansNoLimit() throws UsageException {
        Command.Run run = (Command.Run) parse("run -d --cpu-shares 0 --pids-limit 0 image");
        assertThat(run.options().cpuShares()).isEmpty();
        assertThat(run.options().pidsLimit()).isEmpty();
    }

    @Test
    void whatFollowsTheImageBelongsToTheContainer() throws UsageException {
        Command.Run run = (Command.Run) parse("run -d image serve --memory 1m");
        assertThat(run.arguments()).containsExactly("serve", "--memory", "1m");
        assertThat(run.options().memoryBytes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run image|125|needs -d",
                "run -d|125|at least 1 argument",
                "run -d --privileged image|125|unknown flag: --privileged",
                "run -d --network host image|125|network host not found",
                "run -d --memory 1x image|125|invalid size",
                "run -d --memory 9223372036854775807g image|125|invalid size",
                "run -d --memory 999999999999999g image|125|too large",
                "run -d --memory 256m --memory-swap 128m image|125|memoryswap",
                "run -d --log-driver syslog image|125|log driver 'syslog'",
                "run -d --ulimit nofile=2:1 image|125|soft limit",
                "run -d --cap-drop net_raw; image|125|--cap-drop",
                "run -d --name ../x image|125|container name",
                "run -d --dns 1.1.1.1\\nsearch image|125|--dns",
                "run -d -e A image|125|NAME=VALUE",
                "run -d --name|125|needs an argument",
                "exec -it x sh|1|not a command of faasimage-docker",
                "ps|1|--quiet --no-trunc",
                "ps -q --no-trunc --filter label=x|1|only name=PATTERN",
                "ps -q --no-trunc --filter name=(|1|Unclosed group",
                "inspect --format {{.Id}} x|64|not understood",
                "logs x --since yesterday|1|seconds since 1970",
                "logs|1|exactly 1 argument",
                "rm|1|at least 1 argument",
                "pull|1|exactly 1 argument"
            })
    void anythingElseIsRefusedAsDockerDoesIt(String line, int exit, String message) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> parse(line))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.exit()).isEqualTo(exit));
    }
}
