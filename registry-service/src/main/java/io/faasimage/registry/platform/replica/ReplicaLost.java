package io.faasimage.registry.platform.replica;

/**
 * The event that another service on this database is dead, and has abandoned its work.
 *
 * @param id that it had
 */
public record ReplicaLost(String id) {}
