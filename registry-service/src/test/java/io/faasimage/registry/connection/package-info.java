/** Tests of the way to the client's socket. */
@org.jspecify.annotations.NullMarked
package io.faasimage.registry.connection;
