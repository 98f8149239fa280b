@NullMarked
package io.faasimage.cli.start;

import org.jspecify.annotations.NullMarked;
