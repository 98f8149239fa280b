/**
 * The basis of the byte formats: little-endian writer and checked reader, and the envelope (magic, version, checksum)
 * of an encoded plan or trace.
 */
@NullMarked
package io.faasimage.format.binary;

import org.jspecify.annotations.NullMarked;
