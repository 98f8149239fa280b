/** What must reach the registry even if it is down now: kept on the disk until it is delivered. */
@NullMarked
package io.faasimage.node.outbox;

import org.jspecify.annotations.NullMarked;
