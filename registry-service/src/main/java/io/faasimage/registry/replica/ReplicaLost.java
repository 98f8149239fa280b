package io.faasimage.registry.replica;

/**
 * Another service on this database is dead: nobody goes on with what it had taken.
 *
 * @param id that it had
 */
public record ReplicaLost(String id) {}
