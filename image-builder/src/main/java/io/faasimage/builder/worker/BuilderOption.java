package io.faasimage.builder.worker;

import io.faasimage.api.client.TransportOptions;
import io.faasimage.api.option.Option;

/** An option of {@code faasimage-builder}; limits of builds are settings of the service. */
enum BuilderOption implements Option {
    REGISTRY(
            "--registry",
            "URL[,URL]...",
            "addresses of registry-service; each is asked for builds, so that of every replica is needed"),
    TOKEN_FILE("--token-file", "FILE", "file with a bearer token of the scope builder; read again when it changes"),
    SUPERVISED(
            "--supervised",
            "yes|no",
            "whether the token is the first line of the standard input, whose end is the end of this process, too"
                    + " (default no)"),
    DATA(
            "--data",
            "DIR",
            "directory of running builds, root file systems of runtimes and layers of libraries (default"
                    + " /var/lib/faasimage-builder)"),
    NAME("--name", "NAME", "name of this builder in the service's log (default: the machine's, and a number)"),
    RUNC("--runc", "COMMAND", "command that containers are run with (default runc)"),
    OF_WATCHDOG("--of-watchdog", "FILE", "of-watchdog's program, put into each image when given"),
    REGISTRY_CA(
            "--registry-ca",
            "FILE",
            "PEM file with certificate authorities of image registries, in addition to the JVM's own"),
    SERVICE_CA(TransportOptions.Names.SERVICE_CA),
    SERVICE_CERT(TransportOptions.Names.SERVICE_CERT),
    SERVICE_KEY(TransportOptions.Names.SERVICE_KEY),
    SERVICE_NAME(TransportOptions.Names.SERVICE_NAME),
    INSECURE(TransportOptions.Names.INSECURE);

    private final String option;
    private final String value;
    private final String help;

    BuilderOption(String option, String value, String help) {
        this.option = option;
        this.value = value;
        this.help = help;
    }

    BuilderOption(Option shared) {
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
}
