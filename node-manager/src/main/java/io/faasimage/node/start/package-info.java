/** What starts of planned images read that their plans did not foresee, and the reports about it. */
@NullMarked
package io.faasimage.node.start;

import org.jspecify.annotations.NullMarked;
