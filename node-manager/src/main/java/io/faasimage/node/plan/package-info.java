/**
 * What the snapshotter needs to know of plans: which chain IDs are planned, and how their root file systems are
 * mounted.
 */
@NullMarked
package io.faasimage.node.plan;

import org.jspecify.annotations.NullMarked;
