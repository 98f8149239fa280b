/** Tests of io.faasimage.builder.worker. */
@org.jspecify.annotations.NullMarked
package io.faasimage.builder.worker;
