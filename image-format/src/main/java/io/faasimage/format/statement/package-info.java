/**
 * Signed statements: assertions of the service that made a plan or read a layer, signed with Ed25519, and the public
 * keys that verify them (docs/formats/statement.md).
 */
@NullMarked
package io.faasimage.format.statement;

import org.jspecify.annotations.NullMarked;
