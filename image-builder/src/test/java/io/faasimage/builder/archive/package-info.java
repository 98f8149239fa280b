/** Tests of io.faasimage.builder.archive. */
@org.jspecify.annotations.NullMarked
package io.faasimage.builder.archive;
