package io.faasimage.builder;

import io.faasimage.builder.image.BuiltImage;
import io.faasimage.builder.image.ImageSettings;
import io.faasimage.builder.layer.LayerFile;
import io.faasimage.builder.layer.LayerWriter;
import io.faasimage.builder.runtime.FunctionRuntime;
import io.faasimage.builder.secret.Credentials;
import io.faasimage.refactor.image.ResolvedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The layers of a function above its runtime's image: the server, which all functions of the runtime share, of-watchdog
 * when there is one, the libraries and the code. Empty ones are left out.
 */
final class FunctionLayers {
    private static final int PORT = 8080;
    private static final int PORT_BEHIND_WATCHDOG = 8082;
    private static final String READY = "/_/ready";
    private static final String WATCHDOG = "/usr/bin/fwatchdog";

    private final List<LayerFile> layers = new ArrayList<>();
    private final List<String> purposes = new ArrayList<>();
    private final boolean watched;

    private FunctionLayers(boolean watched) {
        this.watched = watched;
    }

    /** Writes the layers' files into {@code work}, beside that of the {@code libraries}, if there are any. */
    static FunctionLayers write(
            Path work, Path source, Optional<LayerFile> libraries, BuildRequest request, Optional<Path> watchdog)
            throws IOException {
        FunctionLayers all = new FunctionLayers(watchdog.isPresent());
        FunctionRuntime runtime = request.runtime();
        try (LayerWriter server = new LayerWriter(work.resolve("server.tar.gz"))) {
            for (Map.Entry<String, String> file : runtime.files().entrySet()) {
                server.text(file.getKey(), file.getValue());
            }
            all.add("server", server.finish());
        }
        if (watchdog.isPresent()) {
            all.add("watchdog", work, WATCHDOG, watchdog.get(), List.of());
        }
        libraries.ifPresent(layer -> all.add("libraries", layer));
        List<Path> without = new ArrayList<>(packages(source, runtime));
        Credentials.in(source, runtime).forEach(file -> without.add(source.resolve(file)));
        all.add("code", work, FunctionRuntime.FUNCTION, source, without);
        return all;
    }

    /** Directories of packages that were installed: they are libraries now, and no code. */
    private static List<Path> packages(Path source, FunctionRuntime runtime) {
        return runtime.dependencies().stream()
                .map(source::resolve)
                .filter(Files::isDirectory)
                .toList();
    }

    private void add(String purpose, Path work, String place, Path from, List<Path> without) throws IOException {
        try (LayerWriter writer = new LayerWriter(work.resolve(purpose + ".tar.gz"))) {
            add(purpose, writer.tree(place, from, without).finish());
        }
    }

    private void add(String purpose, LayerFile layer) {
        if (!layer.isEmpty()) {
            layers.add(layer);
            purposes.add(purpose);
        }
    }

    /** The layers, bottom first. */
    List<LayerFile> files() {
        return List.copyOf(layers);
    }

    /** The image of these layers above those of {@code runtime}. */
    BuiltImage image(ResolvedImage runtime, BuildRequest request) {
        SortedMap<String, String> environment =
                FunctionRuntime.merged(inherited(runtime), request.runtime().environment());
        environment.putAll(request.environment());
        environment.put("PORT", Integer.toString(watched ? PORT_BEHIND_WATCHDOG : PORT));
        if (watched) {
            environment.put("mode", "http");
            environment.put("upstream_url", "http://127.0.0.1:" + PORT_BEHIND_WATCHDOG);
            environment.put("ready_path", READY);
            environment.put("fprocess", String.join(" ", request.runtime().command()));
        }
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put("io.faasimage.function", request.name());
        labels.put("io.faasimage.runtime", request.runtime().name());
        request.memory().ifPresent(memory -> labels.put("io.faasimage.memory", memory));
        List<String> command = watched ? List.of(WATCHDOG) : request.runtime().command();
        return new BuiltImage(
                runtime,
                layers,
                purposes,
                new ImageSettings(environment, labels, command, FunctionRuntime.FUNCTION, PORT));
    }

    private static SortedMap<String, String> inherited(ResolvedImage runtime) {
        SortedMap<String, String> variables = new TreeMap<>();
        variables.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        for (String variable : runtime.config().env()) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                variables.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        return variables;
    }
}
