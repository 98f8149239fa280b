package io.faasimage.node.prefetch;

/** The time in which objects of some plans are dropped, until the close. */
@FunctionalInterface
public interface Loss extends AutoCloseable {
    @Override
    void close();
}
