/** The first start of an image without a trace: watched by fanotify from before its first process. */
@NullMarked
package io.faasimage.node.starts.trace;

import org.jspecify.annotations.NullMarked;
