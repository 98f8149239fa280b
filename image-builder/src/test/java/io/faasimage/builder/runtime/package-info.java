/** Tests of io.faasimage.builder.runtime. */
@org.jspecify.annotations.NullMarked
package io.faasimage.builder.runtime;
