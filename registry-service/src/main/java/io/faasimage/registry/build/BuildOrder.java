package io.faasimage.registry.build;

import io.faasimage.api.function.FunctionRequest;
import io.faasimage.builder.BuildRequest;
import io.faasimage.registry.audit.Actor;

/**
 * A build that was accepted.
 *
 * @param id of the build
 * @param request what to build
 * @param function what to register then
 * @param actor for whom
 */
record BuildOrder(String id, BuildRequest request, FunctionRequest function, Actor actor) {}
