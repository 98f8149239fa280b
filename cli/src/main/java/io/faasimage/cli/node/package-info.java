/** Commands for nodes: installation, status, events and examination. */
@NullMarked
package io.faasimage.cli.node;

import org.jspecify.annotations.NullMarked;
