/** Tests of learnt caches in plans. */
@NullMarked
package io.faasimage.refactor.learn;

import org.jspecify.annotations.NullMarked;
