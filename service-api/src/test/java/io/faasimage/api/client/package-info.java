@NullMarked
package io.faasimage.api.client;

import org.jspecify.annotations.NullMarked;
