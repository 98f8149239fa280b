/**
 * The synchronisation of registry-service's functions with the platform: from observed deployments, and from the
 * provider's own list for missed ones. Nothing here is on the way of a request.
 */
@NullMarked
package io.faasimage.adapter.registration;

import org.jspecify.annotations.NullMarked;
