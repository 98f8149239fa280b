package io.faasimage.registry.store.trace;

import io.faasimage.format.id.Digest;

/**
 * A merged trace as the database has it.
 *
 * @param digest of the encoded trace, the name of its file
 * @param runs starts that are merged in it
 * @param rangeRuns how many of them at least showed which parts of a large file they read
 * @param files that they read
 */
public record TraceRow(Digest digest, int runs, int rangeRuns, int files) {}
