/** Keys and certificates as PEM text (RFC 7468). */
@NullMarked
package io.faasimage.format.pem;

import org.jspecify.annotations.NullMarked;
