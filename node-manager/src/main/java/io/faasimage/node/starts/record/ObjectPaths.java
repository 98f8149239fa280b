package io.faasimage.node.starts.record;

import io.faasimage.format.FormatException;
import io.faasimage.format.erofs.ErofsView;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An index of the paths of objects in an image. Stateless. */
final class ObjectPaths {
    private static final int MOST_FILES = 2_000_000;

    private record Place(String path, ErofsView.Entry directory) {}

    private ObjectPaths() {}

    /** One path for each of the objects that a metadata image names. */
    static Map<Digest, String> find(Path metadata, Set<Digest> objects) throws IOException {
        Map<Digest, String> paths = new HashMap<>();
        ErofsView view = ErofsView.map(metadata);
        Deque<Place> open = new ArrayDeque<>();
        open.add(new Place("", view.root()));
        int seen = 0;
        while (!open.isEmpty() && paths.size() < objects.size()) {
            Place place = open.removeFirst();
            for (ErofsView.Name name : view.names(place.directory())) {
                if (name.text().equals(".") || name.text().equals("..")) {
                    continue;
                }
                if (++seen > MOST_FILES) {
                    throw FormatException.corrupt(
                            "metadata image " + metadata + " has more than " + MOST_FILES + " files");
                }
                String path = place.path() + "/" + name.text();
                if (name.entry().isDirectory()) {
                    open.addLast(new Place(path, name.entry()));
                } else {
                    Optional<Digest> content = view.content(name.entry());
                    content.filter(objects::contains).ifPresent(digest -> paths.putIfAbsent(digest, path));
                }
            }
        }
        return paths;
    }
}
