package io.faasimage.registry.access.identity;

import java.io.Serializable;
import java.util.List;

/**
 * A person or program that an OpenID Connect provider vouches for.
 *
 * @param subject its ID at the provider, which never becomes another's
 * @param name as the provider shows it, which may change
 * @param groups of it that the settings mention
 */
public record Person(String subject, String name, List<String> groups) implements Serializable {
    private static final int LONGEST = 255;

    /** Copies the groups, and cuts the name to the length that the audit log shows. */
    public Person {
        if (subject.isEmpty() || subject.length() > LONGEST) {
            throw new IllegalArgumentException("a subject has 1 to " + LONGEST + " characters");
        }
        name = name.replaceAll("\\p{Cntrl}", " ").strip();
        name = name.isEmpty() ? subject : name.substring(0, Math.min(name.length(), LONGEST));
        groups = List.copyOf(groups);
    }
}
