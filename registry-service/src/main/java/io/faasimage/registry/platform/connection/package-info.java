/**
 * The way of a long body to the client's socket: parts of files go there by {@code sendfile}, without passing through
 * this process, and data in memory is sent without another copy. Where the connection is no plain TCP socket of
 * Tomcat's (TLS), everything is sent through the servlet's stream.
 */
@NullMarked
package io.faasimage.registry.platform.connection;

import org.jspecify.annotations.NullMarked;
