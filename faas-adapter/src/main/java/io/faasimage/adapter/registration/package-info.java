/**
 * Keeps registry-service's functions those of the platform: from deployments as they pass by, and from the provider's
 * own listing for whatever was missed. Nothing here is on the way of a request.
 */
@NullMarked
package io.faasimage.adapter.registration;

import org.jspecify.annotations.NullMarked;
