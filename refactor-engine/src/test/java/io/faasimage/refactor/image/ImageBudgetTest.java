package io.faasimage.refactor.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of images that announce more than one may have. */
class ImageBudgetTest {
    private static final ImageLocation IMAGE = ImageLocation.parse("registry.example.com/app:1");

    private static List<LayerDescriptor> layers(int count, long size) {
        return Collections.nCopies(count, new LayerDescriptor(Digest.of(new byte[0]), size, "application/x-tar"));
    }

    private static void assertRefused(List<LayerDescriptor> layers, String message) {
        assertThatThrownBy(() -> ImageBudget.DEFAULT.check(IMAGE, layers))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT))
                .hasMessageContaining(message);
    }

    @Test
    void layersAndBytesAreBoundedAndTheOptionIsNamed() throws Exception {
        ImageBudget.DEFAULT.check(IMAGE, layers(128, 1 << 20));
        assertRefused(layers(129, 1), "129 layers, the limit is 128; --faasimage.budget.layers");
        assertRefused(layers(2, 20L << 30), "--faasimage.budget.compressed");
        // Their sum is negative in 64 bits.
        assertRefused(layers(2, Long.MAX_VALUE), "--faasimage.budget.compressed");
    }
}
