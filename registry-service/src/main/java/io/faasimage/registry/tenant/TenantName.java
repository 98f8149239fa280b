package io.faasimage.registry.tenant;

import java.util.regex.Pattern;

/**
 * The name of a tenant: 1 to 40 lower-case letters, digits and hyphens, a letter or digit first and last.
 *
 * @param text the name
 */
public record TenantName(String text) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?");
    private static final String SCHEMA = "_tenant_";
    /** PostgreSQL cuts longer names. */
    private static final int MOST_SCHEMA = 63;

    /** The tenant of everything, where there is no other; its administrators are the operators of the service. */
    public static final TenantName DEFAULT = new TenantName("default");

    /** Refuses what is no name. */
    public TenantName {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not the name of a tenant: 1 to 40 lower-case letters,"
                    + " digits and hyphens, a letter or digit first and last");
        }
    }

    /** Whether it is the tenant of the operators. */
    public boolean isDefault() {
        return equals(DEFAULT);
    }

    /**
     * The schema of the database with the tenant's tables.
     *
     * @param own that of the default tenant, which another installation in the same database does not have
     * @throws IllegalStateException when its name would be too long
     */
    public String schema(String own) {
        String schema = isDefault() ? own : own + SCHEMA + text;
        if (schema.length() > MOST_SCHEMA) {
            throw new IllegalStateException("the name of the schema '" + schema + "' has more than " + MOST_SCHEMA
                    + " characters; use a shorter currentSchema in spring.datasource.url");
        }
        return schema;
    }

    @Override
    public String toString() {
        return text;
    }
}
