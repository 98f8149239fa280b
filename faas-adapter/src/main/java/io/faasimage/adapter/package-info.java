/**
 * The adapter: a proxy between an OpenFaaS gateway and its provider that registers deployed functions at
 * registry-service, and sends hints to nodes of functions that are likely to start.
 */
@NullMarked
package io.faasimage.adapter;

import org.jspecify.annotations.NullMarked;
