/**
 * The client of the service's REST API: blocking, with several addresses, kept connections, and a minimum rate for
 * bodies.
 */
@NullMarked
package io.faasimage.api.client;

import org.jspecify.annotations.NullMarked;
