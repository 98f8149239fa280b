@NullMarked
package io.faasimage.api.control.node;

import org.jspecify.annotations.NullMarked;
