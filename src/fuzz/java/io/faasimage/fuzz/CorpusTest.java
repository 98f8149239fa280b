package io.faasimage.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each target with valid inputs, with those that once broke it, and with some mutations of both. */
final class CorpusTest {
    private static final int MUTATIONS = Integer.getInteger("faasimage.rounds", 1_000);

    private static final long[] NASTY = {
        0, 1, -1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffffL, 0x8000_0000L, 0xffff_ffffL, Long.MAX_VALUE, 4096, 4095
    };

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
        byte[] document = input;
        for (int i = random.nextInt(4); i >= 0 && document.length > 0; i--) {
            document = mutate(document, random);
        }
        return document;
    }

    private static byte[] mutate(byte[] document, SplittableRandom random) {
        int at = random.nextInt(document.length);
        switch (random.nextInt(6)) {
            case 0 -> document[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> document[at] = (byte) random.nextInt();
            case 2 -> put(document, at, NASTY[random.nextInt(NASTY.length)], 1 << random.nextInt(4));
            case 3 -> {
                return Arrays.copyOf(document, at);
            }
            case 4 -> {
                int from = random.nextInt(document.length);
                int length = Math.min(document.length - Math.max(from, at), random.nextInt(64));
                System.arraycopy(document, from, document, at, length);
            }
            default -> {
                byte[] longer = Arrays.copyOf(document, document.length + 1 + random.nextInt(16));
                System.arraycopy(document, at, longer, longer.length - (document.length - at), document.length - at);
                return longer;
            }
        }
        return document;
    }

    private static void put(byte[] document, int at, long value, int width) {
        for (int i = 0; i < width && at + i < document.length; i++) {
            document[at + i] = (byte) (value >>> (8 * i));
        }
    }
}
