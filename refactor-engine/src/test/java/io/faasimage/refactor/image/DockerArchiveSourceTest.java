package io.faasimage.refactor.image;

import io.faasimage.refactor.TestImages;
import io.faasimage.refactor.TestImages.Layer;
import java.util.List;

class DockerArchiveSourceTest extends ImageSourceContract {
    @Override
    ImageLocation publish(List<Layer> layers) throws Exception {
        TestImages.dockerSave(temp.resolve("save"), layers, "example/app:1");
        return archive();
    }

    private ImageLocation archive() throws Exception {
        TestImages.run(
                temp.resolve("save"), "tar", "-cf", temp.resolve("image.tar").toString(), ".");
        return ImageLocation.parse("archive:" + temp.resolve("image.tar") + ":example/app:1");
    }

    @Override
    void damageFirstLayer(List<Layer> layers) throws Exception {
        flip(temp.resolve("save/l0/layer.tar"));
        archive();
    }
}
