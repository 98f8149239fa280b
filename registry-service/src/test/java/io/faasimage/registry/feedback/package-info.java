@NullMarked
package io.faasimage.registry.feedback;

import org.jspecify.annotations.NullMarked;
