/**
 * The benchmark of registry-service's bundles beside an HTTP server that serves a file of the same bytes: images with
 * made-up contents, downloads over several connections at a time, and many whole pulls at once.
 */
@org.jspecify.annotations.NullMarked
package io.faasimage.bench.serving;
