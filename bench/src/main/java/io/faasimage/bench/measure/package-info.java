/**
 * The parts of every measurement: commands of bounded duration, the start of a container to its first right answer,
 * counters of processes and network interfaces, and the spread of values over runs.
 */
@NullMarked
package io.faasimage.bench.measure;

import org.jspecify.annotations.NullMarked;
