/**
 * Made-up starts that the agent runs once after its own, so that the first real one does not find a cold virtual
 * machine: class loading and interpreted code cost more than the work itself there.
 */
@NullMarked
package io.faasimage.node.agent.warmup;

import org.jspecify.annotations.NullMarked;
