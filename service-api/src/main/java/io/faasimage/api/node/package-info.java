/** Nodes and their reports in the REST API. */
@NullMarked
package io.faasimage.api.node;

import org.jspecify.annotations.NullMarked;
