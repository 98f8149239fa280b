/** Messages that must reach the service even if it is down now: kept on the disk until they are delivered. */
@NullMarked
package io.faasimage.node.link.outbox;

import org.jspecify.annotations.NullMarked;
