/**
 * The suite: real functions started cold through several image managers, from an empty node, or one made for the
 * start, to the first HTTP answer, and warm after it, under one condition of network and node. Times, bytes moved and
 * stored, objects on demand, CPU time and memory, as a table and as JSON. The commands that make a node and start a
 * function come from a configuration file.
 */
@NullMarked
package io.faasimage.bench.suite;

import org.jspecify.annotations.NullMarked;
