@NullMarked
package io.faasimage.registry.login;

import org.jspecify.annotations.NullMarked;
