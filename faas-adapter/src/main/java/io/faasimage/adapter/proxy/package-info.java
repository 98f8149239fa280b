/**
 * The proxy: it forwards HTTP between the platform's gateway and the provider byte for byte as far as HTTP/1.1 allows:
 * each client connection and the provider connections that serve it live on one event loop, bodies stream with back
 * pressure, nothing is kept.
 */
@NullMarked
package io.faasimage.adapter.proxy;

import org.jspecify.annotations.NullMarked;
