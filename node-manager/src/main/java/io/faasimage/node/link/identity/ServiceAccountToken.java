package io.faasimage.node.link.identity;

import java.util.regex.Pattern;

/** The token of a Kubernetes service account, a signed JSON Web Token, by its form: the service verifies it. */
final class ServiceAccountToken {
    /** The ID of every enrolment with such a token. */
    static final String ENROLMENT = "service-account";

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");

    private ServiceAccountToken() {}

    static boolean isOne(String token) {
        return FORM.matcher(token).matches();
    }
}
