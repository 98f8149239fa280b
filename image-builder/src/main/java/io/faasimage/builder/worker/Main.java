package io.faasimage.builder.worker;

import io.faasimage.api.log.JsonLogFormat;
import io.faasimage.api.option.OptionParser;
import io.faasimage.api.trust.TrustedAuthorities;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The main class of a builder, which runs until SIGTERM, SIGINT or the end of what supervises it. */
public final class Main {
    private static final Logger LOG = System.getLogger(Main.class.getName());

    /** The format wants one; certificates are not secret. */
    private static final String TRUST_STORE_PASSWORD = "certificates";

    private Main() {}

    /** Exit codes: 0 stopped as requested, 1 could not start, 2 wrong options. */
    public static void main(String[] arguments) {
        JsonLogFormat.installIfWanted();
        List<String> list = List.of(arguments);
        if (OptionParser.wantsHelp(list)) {
            System.out.println(Options.PARSER.help());
            return;
        }
        System.exit(run(list));
    }

    private static int run(List<String> arguments) {
        WorkerConfig config;
        try {
            config = Options.parse(arguments, System.in);
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("faasimage-builder: " + e.getMessage());
            return 2;
        }
        try {
            Files.createDirectories(config.data());
            if (config.registryCa().isPresent()) {
                trust(config.registryCa().get(), config.data().resolve("trust.p12"));
            }
            if (config.supervised()) {
                Thread.ofPlatform().daemon().name("supervision").start(Main::awaitEndOfInput);
            }
            try (BuilderProcess process = new BuilderProcess(config)) {
                Runtime.getRuntime().addShutdownHook(new Thread(process::close, "shutdown"));
                process.run();
            }
            return 0;
        } catch (IOException | RuntimeException e) {
            System.err.println("faasimage-builder: " + e.getMessage());
            LOG.log(Level.DEBUG, "the failure", e);
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    /** The client of image registries makes its TLS contexts itself, from the JVM's trust store alone. */
    private static void trust(Path authorities, Path store) throws IOException {
        TrustedAuthorities.with(authorities).write(store, TRUST_STORE_PASSWORD.toCharArray());
        System.setProperty("javax.net.ssl.trustStore", store.toString());
        System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
        System.setProperty("javax.net.ssl.trustStorePassword", TRUST_STORE_PASSWORD);
    }

    /** The kernel closes the pipe, whatever ends the service. */
    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // Nothing else is said there.
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the standard input cannot be read, so the service is taken for ended: " + e);
        }
        System.exit(0);
    }
}
