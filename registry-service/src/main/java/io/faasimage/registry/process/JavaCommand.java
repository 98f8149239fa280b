package io.faasimage.registry.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command of a Java process that has the service's class path, its ahead-of-time cache where it has one, and its
 * choice of compilers and of when they begin.
 */
public final class JavaCommand {
    private static final List<String> INHERITED = List.of("-XX:AOTCache=", "-XX:Tier", "-XX:CompileCommand=");

    private JavaCommand() {}

    /**
     * A command that runs the class {@code main}.
     *
     * @param options of the JVM; the collector and the layout of objects are the service's, as its cache requires them
     */
    public static List<String> of(List<String> options, String main) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> INHERITED.stream().anyMatch(argument::startsWith))
                .forEach(command::add);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        return command;
    }
}
