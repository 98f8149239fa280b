/**
 * The ground of the byte formats: little-endian writer and checked reader, and the envelope (magic, version, checksum)
 * that an encoded plan or trace is kept in.
 */
@NullMarked
package io.faasimage.format.binary;

import org.jspecify.annotations.NullMarked;
