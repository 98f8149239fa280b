package io.faasimage.cli.profile;

import java.util.Optional;

/**
 * A stretch of time in which a thread works on the start.
 *
 * @param from microseconds
 * @param to microseconds, later
 * @param reason what it waits for meanwhile; empty while it runs
 */
record Activity(long from, long to, Part part, Category category, Optional<WaitReason> reason) {}
