package io.faasimage.registry.store.object;

import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/**
 * A file that is open and mapped until it is no longer reachable.
 *
 * @param file open for reading
 * @param content all of it
 */
public record MappedFile(FileChannel file, MemorySegment content) {}
