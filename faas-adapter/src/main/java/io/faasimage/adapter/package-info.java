/**
 * Stands between an OpenFaaS gateway and its provider, passes everything through, and keeps registry-service and the
 * nodes informed of what is deployed and likely to start.
 */
@NullMarked
package io.faasimage.adapter;

import org.jspecify.annotations.NullMarked;
