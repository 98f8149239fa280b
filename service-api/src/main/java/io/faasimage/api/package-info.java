/** The REST contract of registry-service: its records, and a blocking client. */
@NullMarked
package io.faasimage.api;

import org.jspecify.annotations.NullMarked;
