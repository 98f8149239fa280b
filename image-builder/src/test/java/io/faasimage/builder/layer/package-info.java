/** Tests of io.faasimage.builder.layer. */
@org.jspecify.annotations.NullMarked
package io.faasimage.builder.layer;
