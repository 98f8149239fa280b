/** Tests of io.faasimage.builder.tree. */
@org.jspecify.annotations.NullMarked
package io.faasimage.builder.tree;
