package io.faasimage.refactor;

import java.nio.file.Path;

/**
 * A pack that was written, complete and synced to disk.
 *
 * @param file in the output directory; its name comes from its content
 * @param objects how many
 * @param rawBytes of their content
 * @param storedBytes size of the file
 */
public record PackFile(Path file, int objects, long rawBytes, long storedBytes) {}
