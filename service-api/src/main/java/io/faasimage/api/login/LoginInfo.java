package io.faasimage.api.login;

import java.time.Instant;

/**
 * A login at an image registry, without its password.
 *
 * @param repository what it is for: a host, or repositories of one
 * @param user user name there
 * @param created when it was given or replaced last
 */
public record LoginInfo(String repository, String user, Instant created) {}
