/**
 * Records of starts and reports on the node for the service: one record for each start, kept on the disk until the
 * service has accepted it, and a periodic report on the node. Nothing here is waited for by a start.
 */
@NullMarked
package io.faasimage.node.starts.record;

import org.jspecify.annotations.NullMarked;
