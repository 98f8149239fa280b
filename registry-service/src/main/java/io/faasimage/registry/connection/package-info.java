/**
 * The way of a long body to the client's socket: parts of files go there by {@code sendfile}, without passing through
 * this process, and what lies in memory without another copy. Where the connection is no plain TCP socket of Tomcat's
 * (TLS), all goes through the servlet's stream.
 */
@NullMarked
package io.faasimage.registry.connection;

import org.jspecify.annotations.NullMarked;
