/**
 * The suite: real functions started cold through several image managers, each start on a node made for it, under one
 * condition of network and node. Times, bytes moved and stored, objects on demand, CPU time and memory, as a table and
 * as JSON.
 */
@NullMarked
package io.faasimage.bench.suite;

import org.jspecify.annotations.NullMarked;
