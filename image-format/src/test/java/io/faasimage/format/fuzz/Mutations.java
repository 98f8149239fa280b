package io.faasimage.format.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * A reproducible source of damaged documents: flips, overwritten numbers, cuts, and pieces moved within the document.
 */
public final class Mutations {
    private static final long[] NASTY = {
        0, 1, -1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffffL, 0x8000_0000L, 0xffff_ffffL, Long.MAX_VALUE, 4096, 4095
    };

    private final SplittableRandom random;
    private final List<byte[]> corpus;

    private Mutations(long seed, List<byte[]> corpus) {
        this.random = new SplittableRandom(seed);
        this.corpus = List.copyOf(corpus);
    }

    /**
     * Mutates {@code corpus}. The seed is printed; a run is repeated with {@code -Dfaasimage.seed} and lengthened with
     * {@code -Dfaasimage.rounds}.
     */
    public static Mutations of(List<byte[]> corpus) {
        long seed = Long.getLong("faasimage.seed", System.nanoTime());
        System.out.println("repeat these mutations with -Dfaasimage.seed=" + seed);
        return new Mutations(seed, corpus);
    }

    /** How many documents to try. */
    public static int rounds(int usual) {
        return Integer.getInteger("faasimage.rounds", usual);
    }

    /** The next damaged document. */
    public byte[] next() {
        byte[] document = corpus.get(random.nextInt(corpus.size())).clone();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count && document.length > 0; i++) {
            document = mutate(document);
        }
        return document;
    }

    /** Sets the last four bytes to the CRC-32C of all before them, so that a mutation gets past the checksum. */
    public static byte[] resealed(byte[] document) {
        if (document.length < 4) {
            return document;
        }
        byte[] sealed = document.clone();
        CRC32C crc = new CRC32C();
        crc.update(sealed, 0, sealed.length - 4);
        put(sealed, sealed.length - 4, crc.getValue(), 4);
        return sealed;
    }

    private byte[] mutate(byte[] document) {
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
