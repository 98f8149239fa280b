package io.faasimage.cli.tune;

import io.faasimage.cli.containerd.Containerd;
import io.faasimage.cli.containerd.ContainerdConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * crun as a runtime of CRI, which pods select by a RuntimeClass; clients other than CRI choose a runtime themselves.
 */
final class CrunRuntime extends ContainerdSetting {
    private static final String NAME = "crun";
    private static final String DEFAULT = "runc";
    private static final List<String> PLUGINS = List.of("io.containerd.cri.v1.runtime", "io.containerd.grpc.v1.cri");

    private final Optional<Path> program;

    /**
     * The lever.
     *
     * @param program crun; empty when it is not installed
     */
    CrunRuntime(ContainerdConfig config, Optional<Path> program) {
        super(config);
        this.program = program;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String effect() {
        return "the OCI runtime itself takes a fraction of runc's time";
    }

    @Override
    public String risk() {
        return "another runtime than most clusters have: try your images with it";
    }

    @Override
    Optional<String> obstacle(JsonNode effective) throws IOException {
        if (program.isEmpty()) {
            return Optional.of("crun is not installed: apt-get install crun");
        }
        if (plugin(effective).isEmpty()) {
            return Optional.of("containerd's CRI is off; `ctr run --runc-binary crun` and `nerdctl run --runtime crun`"
                    + " need no setting");
        }
        return RuntimeProbe.run(program.get(), specVersion(config().containerd().version()));
    }

    /** The version of the OCI runtime specification in the configurations that containerd writes. */
    private static String specVersion(Containerd.Version containerd) {
        return containerd.atLeast(2, 2) ? "1.3.0" : containerd.atLeast(2, 0) ? "1.2.0" : "1.0.2";
    }

    @Override
    boolean isOn(JsonNode effective) {
        return runtimes(effective).valueStream().anyMatch(CrunRuntime::isCrun);
    }

    private static boolean isCrun(JsonNode runtime) {
        return runtime.path("options").path("BinaryName").asString("").matches("(.*/)?crun");
    }

    @Override
    List<String> keys(JsonNode effective) {
        return List.of("plugins", plugin(effective).orElse(PLUGINS.getFirst()), "containerd", "runtimes", NAME);
    }

    @Override
    String toml(JsonNode effective) throws IOException {
        String tables = "plugins.'" + plugin(effective).orElseThrow() + "'.containerd.runtimes.";
        JsonNode runc = runtimes(effective).path(DEFAULT);
        boolean systemd = runc.path("options").path("SystemdCgroup").asBoolean(false);
        return kept(tables, runc) + "[" + tables + NAME + "]\n  runtime_type = 'io.containerd.runc.v2'\n  [" + tables
                + NAME + ".options]\n"
                + "    BinaryName = '" + program.orElseThrow() + "'\n"
                + "    SystemdCgroup = " + systemd + "\n";
    }

    /** runc is a runtime by default only as long as the configuration names no other. */
    private String kept(String tables, JsonNode runc) throws IOException {
        boolean named = ContainerdConfig.text(config().main())
                .filter(text -> text.contains("runtimes." + DEFAULT))
                .isPresent();
        return named || runc.isMissingNode() ? "" : "[" + tables + DEFAULT + "]\n" + Containerd.table(runc) + "\n";
    }

    @Override
    Optional<String> user(JsonNode effective) {
        String chosen = plugin(effective)
                .map(plugin -> effective
                        .path("plugins")
                        .path(plugin)
                        .path("containerd")
                        .path("default_runtime_name")
                        .asString(""))
                .orElse("");
        return chosen.equals(NAME) ? Optional.of("containerd's CRI, as its default_runtime_name") : Optional.empty();
    }

    @Override
    List<String> furtherSteps() {
        return List.of(
                "in Kubernetes, pods with `runtimeClassName: crun` use it after: kubectl apply -f - <<'END'",
                "    apiVersion: node.k8s.io/v1",
                "    kind: RuntimeClass",
                "    metadata: {name: crun}",
                "    handler: crun",
                "    END");
    }

    private static JsonNode runtimes(JsonNode effective) {
        return effective
                .path("plugins")
                .path(plugin(effective).orElse(""))
                .path("containerd")
                .path("runtimes");
    }

    private static Optional<String> plugin(JsonNode effective) {
        return effective.path("plugins").properties().stream()
                .map(Map.Entry::getKey)
                .filter(PLUGINS::contains)
                .filter(plugin -> effective
                        .path("disabled_plugins")
                        .valueStream()
                        .noneMatch(disabled -> disabled.asString("").equals(plugin)))
                .sorted()
                .findFirst();
    }
}
