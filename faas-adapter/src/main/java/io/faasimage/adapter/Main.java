package io.faasimage.adapter;

import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryConfig;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Watches an OpenFaaS provider and registers what it deploys:
 * {@code faas-adapter --provider URL --registry URL [--token-file F] [--user-file F --password-file F] [--interval SECONDS]}.
 */
public final class Main {
    private static final Logger LOG = System.getLogger(Main.class.getName());
    private static final String USAGE = "usage: faas-adapter --provider URL --registry URL [--token-file FILE]"
            + " [--user-file FILE --password-file FILE] [--interval SECONDS]";

    private Main() {}

    /** Runs until it is stopped; exit code 2 for wrong arguments. */
    public static void main(String[] args) throws InterruptedException {
        try {
            Map<String, String> options = parse(args);
            Duration interval = Duration.ofSeconds(Long.parseLong(options.getOrDefault("--interval", "5")));
            if (interval.isNegative() || interval.isZero()) {
                throw new IllegalArgumentException("--interval must be at least 1 second");
            }
            watch(options, interval);
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("error: " + e.getMessage());
            System.err.println(USAGE);
            System.exit(2);
        }
    }

    private static void watch(Map<String, String> options, Duration interval) throws IOException, InterruptedException {
        URI provider = URI.create(required(options, "--provider"));
        RegistryConfig config =
                RegistryConfig.of(URI.create(required(options, "--registry")), file(options, "--token-file"));
        Optional<String> user = file(options, "--user-file");
        Optional<String> password = file(options, "--password-file");
        Optional<String> credentials = user.flatMap(u -> password.map(p -> u + ":" + p));
        try (OpenFaasProvider functions = new OpenFaasProvider(provider, credentials);
                RegistryClient registry = new RegistryClient(config)) {
            DeploymentWatcher watcher = new DeploymentWatcher(functions, registry);
            LOG.log(Level.INFO, "watching {0}, registering at {1}", provider, config);
            while (true) {
                try {
                    watcher.round();
                } catch (IOException e) {
                    LOG.log(Level.WARNING, "the provider at {0} did not answer: {1}", provider, e.getMessage());
                }
                Thread.sleep(interval);
            }
        }
    }

    static Map<String, String> parse(String[] args) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!USAGE.contains(args[i] + " ") || !args[i].startsWith("--") || i + 1 == args.length) {
                throw new IllegalArgumentException("unknown or incomplete option '" + args[i] + "'");
            }
            options.put(args[i], args[i + 1]);
        }
        return options;
    }

    private static String required(Map<String, String> options, String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    private static Optional<String> file(Map<String, String> options, String name) throws IOException {
        String path = options.get(name);
        return path == null
                ? Optional.empty()
                : Optional.of(Files.readString(Path.of(path)).strip());
    }
}
