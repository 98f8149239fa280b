package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.TestImages;
import io.faasimage.refactor.TestImages.Layer;
import java.nio.file.Path;
import java.util.List;

class OciArchiveSourceTest extends ImageSourceContract {
    @Override
    ImageLocation publish(List<Layer> layers) throws Exception {
        TestImages.layout(temp.resolve("layout"), layers);
        return archive();
    }

    private ImageLocation archive() throws Exception {
        Path layout = temp.resolve("layout");
        TestImages.run(layout, "tar", "-czf", temp.resolve("image.tar.gz").toString(), ".");
        return ImageLocation.parse("archive:" + temp.resolve("image.tar.gz"));
    }

    @Override
    void damageFirstLayer(List<Layer> layers) throws Exception {
        String blob = Digest.of(layers.getFirst().blob()).hex();
        flip(temp.resolve("layout/blobs/sha256/" + blob));
        archive();
    }
}
