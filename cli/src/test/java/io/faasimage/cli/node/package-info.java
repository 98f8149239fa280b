@NullMarked
package io.faasimage.cli.node;

import org.jspecify.annotations.NullMarked;
