/** Sign-ins to the pages: sessions in the database, who they are of, and the limit on wrong tokens. */
@NullMarked
package io.faasimage.registry.access.session;

import org.jspecify.annotations.NullMarked;
