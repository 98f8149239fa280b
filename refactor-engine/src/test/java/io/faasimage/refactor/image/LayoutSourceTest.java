package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.TestImages;
import io.faasimage.refactor.TestImages.Layer;
import java.util.List;

class LayoutSourceTest extends ImageSourceContract {
    @Override
    ImageLocation publish(List<Layer> layers) throws Exception {
        TestImages.layout(temp.resolve("layout"), layers);
        return ImageLocation.parse("oci:" + temp.resolve("layout"));
    }

    @Override
    void damageFirstLayer(List<Layer> layers) throws Exception {
        String blob = Digest.of(layers.getFirst().blob()).hex();
        flip(temp.resolve("layout/blobs/sha256/" + blob));
    }
}
