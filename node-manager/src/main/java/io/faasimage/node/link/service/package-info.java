/** The way to the service: requests with bounded time, and a breaker that stops waiting while it is down. */
@NullMarked
package io.faasimage.node.link.service;

import org.jspecify.annotations.NullMarked;
