package io.faasimage.node.plans.partial;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import io.faasimage.format.partial.PartialLayout;
import io.faasimage.format.partial.PartialObject;
import io.faasimage.format.plan.PieceMap;
import io.faasimage.format.plan.PiecedObject;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The assembly of a layer of partial objects: its pack, loop devices and mount, and its description for the gate. */
final class LayerAssembly {
    private final Path maps;
    private final Path files;
    private final ObjectStore store;

    /**
     * Layers over the objects of {@code store}.
     *
     * @param maps directory in which objects are described to the gate
     * @param files where the gate shows them
     */
    LayerAssembly(Path maps, Path files, ObjectStore store) {
        this.maps = maps;
        this.files = files;
        this.store = store;
    }

    /** Mounts the layer of a plan below {@code place}; after a failure, the caller removes the remains there. */
    PartialLayer mount(Path place, Plan plan) throws IOException {
        List<PartialObject> objects = new ArrayList<>();
        List<Path> backing = new ArrayList<>();
        List<String> names = new ArrayList<>();
        Map<Digest, PieceMap> described = new HashMap<>();
        for (PiecedObject pieced : plan.pieced()) {
            PlanObject object = plan.objects().get(pieced.object());
            PieceMap map = PieceMap.of(object, pieced);
            String name = save(map);
            objects.add(new PartialObject(object.digest(), object.size(), pieced.startupChunks()));
            backing.add(store.has(object.digest()) ? store.path(object.digest()) : files.resolve(name));
            names.add(name);
            described.put(object.digest(), map);
        }
        PartialLayout layout = PartialLayout.of(plan.pieced().getFirst().chunkBytes(), objects);
        Files.createDirectories(place);
        PackFile.write(PartialMount.pack(place), layout, described, store);
        PartialMount mount = PartialMount.mount(place, layout, backing);
        List<PartialLayer.Device> devices = new ArrayList<>();
        for (int i = 0; i < objects.size(); i++) {
            devices.add(new PartialLayer.Device(mount.device(i), objects.get(i).digest(), names.get(i)));
        }
        PartialLayer layer = new PartialLayer(mount.point(), devices);
        layer.save();
        return layer;
    }

    /** Describes an object to the gate; returns the name of its file there. */
    private String save(PieceMap map) throws IOException {
        byte[] encoded = map.encode();
        String name = PieceMap.name(encoded);
        AtomicFile.publish(maps.resolve(name), out -> out.write(encoded));
        return name;
    }
}
