@NullMarked
package io.faasimage.cli.containerd;

import org.jspecify.annotations.NullMarked;
