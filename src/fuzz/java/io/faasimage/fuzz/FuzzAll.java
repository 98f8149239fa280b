package io.faasimage.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A run of Jazzer on each target: SECONDS [TARGET,...]. Corpora grow in {@code target/fuzz}; an input that breaks
 * a parser is put into {@code corpus/<target>}, where it stays.
 */
public final class FuzzAll {
    private FuzzAll() {}

    /** Ends with status 1 when a target was broken. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> wanted =
                arguments.length < 2 || arguments[1].isBlank() ? List.of() : Arrays.asList(arguments[1].split(","));
        List<String> broken = new ArrayList<>();
        for (Target target : Target.values()) {
            if ((wanted.isEmpty() || wanted.contains(target.label())) && !fuzz(target, arguments[0])) {
                broken.add(target.label());
            }
        }
        if (!broken.isEmpty()) {
            System.err.println("broken: " + String.join(", ", broken));
            System.exit(1);
        }
    }

    private static boolean fuzz(Target target, String seconds) throws IOException, InterruptedException {
        Path corpus = Files.createDirectories(Path.of("target", "fuzz", target.label()));
        Path kept = Files.createDirectories(Path.of("corpus", target.label()));
        List<byte[]> seeds = Seeds.of(target);
        for (int i = 0; i < seeds.size(); i++) {
            Files.write(corpus.resolve("seed-" + i), seeds.get(i));
        }
        System.out.println("== " + target.label());
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx768m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + Fuzzer.class.getName(),
                        "--target_args=" + target.label(),
                        "--instrumentation_includes=io.faasimage.**:org.apache.commons.compress.**",
                        // containerd's filter language has regular expressions, and containerd alone may send them.
                        "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.RegexInjection",
                        "--reproducer_path=target/fuzz",
                        "-max_total_time=" + seconds,
                        "-max_len=16384",
                        "-timeout=60",
                        "-rss_limit_mb=2048",
                        "-print_final_stats=1",
                        "-artifact_prefix=" + kept + "/",
                        corpus.toString(),
                        kept.toString())
                .redirectErrorStream(true)
                .inheritIO()
                .start();
        boolean whole = process.waitFor() == 0;
        return whole;
    }
}
