package io.faasimage.registry.access;

/**
 * A method of HTTP on a pattern of paths, as controllers are mapped.
 *
 * @param method such as GET, which covers HEAD; {@value #ANY} where the mapping names none
 * @param pattern of Spring, such as {@code /v1/functions/{name}}
 */
record Endpoint(String method, String pattern) {
    static final String ANY = "*";

    @Override
    public String toString() {
        return method + " " + pattern;
    }
}
