/** Tests of io.faasimage.builder.install. */
@org.jspecify.annotations.NullMarked
package io.faasimage.builder.install;
