package io.faasimage.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each target with valid inputs, with those that once broke it, and with some mutations of both. */
final class CorpusTest {
    private static final int MUTATIONS = Integer.getInteger("faasimage.rounds", 500);

    @ParameterizedTest
    @EnumSource(Target.class)
    void holds(Target target) throws IOException {
        List<byte[]> inputs = new ArrayList<>();
        for (byte[] seed : Seeds.of(target)) {
            // A valid input is accepted.
            target.parse(seed);
            inputs.add(seed);
        }
        inputs.add(new byte[0]);
        Path kept = Path.of("corpus", target.label());
        if (Files.isDirectory(kept)) {
            try (var files = Files.list(kept)) {
                for (Path file : files.sorted().toList()) {
                    inputs.add(Files.readAllBytes(file));
                }
            }
        }
        inputs.forEach(target::run);
        SplittableRandom random = new SplittableRandom(Long.getLong("faasimage.seed", 1));
        for (int i = 0; i < MUTATIONS; i++) {
            target.run(mutated(inputs.get(random.nextInt(inputs.size())).clone(), random));
        }
    }

    private static byte[] mutated(byte[] input, SplittableRandom random) {
        for (int i = random.nextInt(4); i >= 0 && input.length > 0; i--) {
            int at = random.nextInt(input.length);
            input[at] = (byte) (random.nextBoolean() ? random.nextInt() : input[at] ^ 1 << random.nextInt(8));
        }
        return random.nextInt(8) == 0 ? java.util.Arrays.copyOf(input, random.nextInt(input.length + 1)) : input;
    }
}
