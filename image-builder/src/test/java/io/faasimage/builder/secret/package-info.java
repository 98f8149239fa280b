/** Tests of io.faasimage.builder.secret. */
@org.jspecify.annotations.NullMarked
package io.faasimage.builder.secret;
