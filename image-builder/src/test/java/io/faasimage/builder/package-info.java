/** Tests of the image builder. */
@org.jspecify.annotations.NullMarked
package io.faasimage.builder;
