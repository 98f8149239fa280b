/**
 * Issuers of JSON Web Tokens as OpenID Connect defines them: their discovery document, their keys, and the verification
 * of what they have signed. The first request to an issuer is made when a token of it is presented, not when the
 * service starts.
 */
@NullMarked
package io.faasimage.registry.provider;

import org.jspecify.annotations.NullMarked;
