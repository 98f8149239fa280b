package io.faasimage.node.containerd.image;

import java.util.regex.Pattern;

/** The form of the names of containerd's namespaces. */
public final class Namespaces {
    private static final int MOST_CHARS = 76;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*");

    private Namespaces() {}

    /** Whether this may be the name of a namespace. */
    public static boolean isOne(String name) {
        return name.length() <= MOST_CHARS && NAME.matcher(name).matches();
    }
}
