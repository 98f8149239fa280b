/**
 * Cold starts one after the other: the same functions started in turn through each image manager, from an empty node to
 * the first HTTP answer. Time, bytes that crossed the network interface, and their spread over the runs, as a table and
 * as JSON. What is started and how a node is emptied comes as commands in a configuration file.
 */
@NullMarked
package io.faasimage.bench.coldstart;

import org.jspecify.annotations.NullMarked;
