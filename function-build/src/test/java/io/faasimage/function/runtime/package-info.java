/** Tests of io.faasimage.function.runtime. */
@org.jspecify.annotations.NullMarked
package io.faasimage.function.runtime;
