/**
 * The adapter: a proxy between an OpenFaaS gateway and its provider that registers what is deployed at
 * registry-service, and sends hints to nodes of what is likely to start.
 */
@NullMarked
package io.faasimage.adapter;

import org.jspecify.annotations.NullMarked;
