package io.faasimage.fuzz;

import java.util.Locale;

/** The entry point for Jazzer: one target, named by its first argument. */
public final class Fuzzer {
    private static Target target = Target.PATH;

    private Fuzzer() {}

    /** Chooses the target. */
    public static void fuzzerInitialize(String[] arguments) {
        target = Target.valueOf(arguments[0].toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Runs it once. */
    public static void fuzzerTestOneInput(byte[] input) {
        target.run(input);
    }
}
