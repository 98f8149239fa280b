package io.faasimage.gate;

import io.faasimage.api.client.TransportOptions;
import io.faasimage.api.option.Option;

/** An option of {@code faasimage-gate}. */
enum GateOption implements Option {
    STORE("--store", "DIR", "the object store, which is the agent's state directory"),
    MOUNT("--mount", "DIR", "mount point of the directory in which objects are looked up"),
    CONNECTION(
            "--connection",
            "PID:FD",
            "process and descriptor of the FUSE connection of an earlier gate, which this one continues"),
    IMAGES("--images", "DIR", "mount point of planned root file systems (default: none)"),
    REGISTRY(
            "--registry",
            "URL[,URL]...",
            "address of registry-service; several are tried in this order, one that has just failed last (default:"
                    + " none, all objects come from the agent)"),
    TOKEN_FILE("--token-file", "FILE", "file with its bearer token; read again when it changes"),
    SERVICE_CA(TransportOptions.Names.SERVICE_CA),
    SERVICE_CERT(TransportOptions.Names.SERVICE_CERT),
    SERVICE_KEY(TransportOptions.Names.SERVICE_KEY),
    SERVICE_NAME(TransportOptions.Names.SERVICE_NAME),
    INSECURE(TransportOptions.Names.INSECURE),
    CONTROL("--control", "SOCKET", "control socket: status and end of the gate"),
    AGENT("--agent", "SOCKET", "the agent's socket for missing objects (default: the gate fetches all itself)"),
    FETCH_TIMEOUT(
            "--fetch-timeout", "TIME", "how long a look-up waits while nothing arrives, such as 500ms (default 30s)"),
    FETCH_CAP("--fetch-cap", "TIME", "how long a look-up waits at most (default 600s)"),
    ATTEMPTS("--attempts", "N", "requests for one object that comes damaged (default 8)"),
    CONCURRENT("--concurrent", "N", "objects that the gate fetches at the same time (default 8)"),
    WAITING("--waiting", "N", "look-ups that may wait at the same time; others fail at once (default 1024)");

    private final String option;
    private final String value;
    private final String help;

    GateOption(String option, String value, String help) {
        this.option = option;
        this.value = value;
        this.help = help;
    }

    GateOption(Option shared) {
        this(shared.option(), shared.value(), shared.help());
    }

    @Override
    public String option() {
        return option;
    }

    @Override
    public String value() {
        return value;
    }

    @Override
    public String help() {
        return help;
    }

    /** Options that the agent adds follow those of its {@code --gate-command}, and override them. */
    @Override
    public boolean repeatable() {
        return true;
    }
}
