/** Tests of io.faasimage.builder.egress. */
@org.jspecify.annotations.NullMarked
package io.faasimage.builder.egress;
