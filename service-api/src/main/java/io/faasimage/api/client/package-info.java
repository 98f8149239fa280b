/** The client of the service's REST API: a blocking HTTP/1.1 client with several addresses, kept connections and a minimum rate. */
@NullMarked
package io.faasimage.api.client;

import org.jspecify.annotations.NullMarked;
