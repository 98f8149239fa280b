package io.faasimage.registry.signature;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/**
 * An identity that notation's rules trust: attributes that the subject of a certificate must have with these values
 * ({@code x509.subject: C=DE,O=Example}); it may have others.
 *
 * @param text as it is written
 */
record TrustedIdentity(String text) {
    private static final String PREFIX = "x509.subject:";

    /** Checks the form. */
    TrustedIdentity {
        try {
            if (attributes(name(text)).isEmpty()) {
                throw new IllegalArgumentException("no attribute in identity '" + text + "'");
            }
        } catch (InvalidNameException e) {
            throw new IllegalArgumentException("not a distinguished name such as 'C=DE,O=Example': '" + text + "'", e);
        }
    }

    private static String name(String text) {
        return text.startsWith(PREFIX) ? text.substring(PREFIX.length()).strip() : text;
    }

    boolean matches(X500Principal subject) {
        try {
            Map<String, String> wanted = attributes(name(text));
            Map<String, String> present = attributes(subject.getName(X500Principal.RFC2253));
            return wanted.entrySet().stream()
                    .allMatch(e -> !e.getValue().isEmpty() && e.getValue().equals(present.get(e.getKey())));
        } catch (InvalidNameException e) {
            return false;
        }
    }

    /** By type in upper case. One that stands twice, or several in one component, is ambiguous and refused. */
    private static Map<String, String> attributes(String name) throws InvalidNameException {
        List<Rdn> components = new LdapName(name).getRdns();
        Map<String, String> attributes = new HashMap<>();
        for (Rdn component : components) {
            String type = component.getType().toUpperCase(Locale.ROOT);
            String key = type.equals("S") ? "ST" : type;
            // A value of a type that has no name here is bytes, and is none that a rule can name.
            String value = component.getValue() instanceof String known ? known : "";
            if (component.size() != 1 || attributes.put(key, value) != null) {
                throw new InvalidNameException("ambiguous");
            }
        }
        return attributes;
    }
}
