@NullMarked
package io.faasimage.cli.terminal;

import org.jspecify.annotations.NullMarked;
