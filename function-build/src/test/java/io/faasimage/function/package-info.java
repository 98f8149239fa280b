/** Tests of io.faasimage.function. */
@org.jspecify.annotations.NullMarked
package io.faasimage.function;
