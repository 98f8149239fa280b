@NullMarked
package io.faasimage.cli.profile;

import org.jspecify.annotations.NullMarked;
