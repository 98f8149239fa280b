package io.faasimage.refactor.classify;

import java.util.Comparator;

/**
 * The identity of an installed package.
 *
 * @param ecosystem package manager: {@code deb}, {@code apk}, those of {@link io.faasimage.format.plan.Library}, or
 *     {@code runtime} for a language runtime that no package manager installed
 * @param name as the package manager names it
 * @param version as the package manager names it; empty when it is not known
 * @param architecture as the package manager names it; empty where it names none
 */
public record PackageId(String ecosystem, String name, String version, String architecture)
        implements Comparable<PackageId> {
    /** The ecosystem of runtimes that no package manager installed. */
    public static final String RUNTIME = "runtime";

    private static final Comparator<PackageId> ORDER = Comparator.comparing(PackageId::ecosystem)
            .thenComparing(PackageId::name)
            .thenComparing(PackageId::version)
            .thenComparing(PackageId::architecture);

    @Override
    public int compareTo(PackageId other) {
        return ORDER.compare(this, other);
    }
}
