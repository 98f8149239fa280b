package io.faasimage.node.snapshot;

import java.util.List;

/**
 * A mount that containerd is to make, in the words of mount(8).
 *
 * @param type {@code bind} or {@code overlay}
 * @param source the directory to bind, else the word {@code overlay}
 * @param options as for {@code mount -o}
 */
record Mount(String type, String source, List<String> options) {
    Mount {
        options = List.copyOf(options);
    }

    static Mount bind(Object directory, boolean writable) {
        return new Mount("bind", directory.toString(), List.of(writable ? "rw" : "ro", "rbind"));
    }

    static Mount overlay(List<String> options) {
        return new Mount("overlay", "overlay", options);
    }
}
