/** Learnt caches in plans: the last layer of an image, with what a start wrote into caches of its language runtime. */
@NullMarked
package io.faasimage.refactor.learn;

import org.jspecify.annotations.NullMarked;
