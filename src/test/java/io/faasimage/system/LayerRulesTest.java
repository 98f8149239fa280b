package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The module table of ARCHITECTURE.md as rules on the compiled classes. */
final class LayerRulesTest {
    /** Package root of each module, and the modules that it may use. */
    private static final Map<String, Set<String>> MAY_USE = new LinkedHashMap<>();

    private static final Map<String, String> MODULES = new LinkedHashMap<>();

    /** The rooms of the two large modules, each with those that it may use. */
    private static final Map<String, Map<String, Set<String>>> ROOMS = Map.of(
            "registry",
                    Map.of(
                            "platform", Set.of(),
                            "store", Set.of("platform"),
                            "access", Set.of("platform"),
                            "event", Set.of("platform", "access"),
                            "images", Set.of("platform", "store", "access", "event"),
                            "functions", Set.of("platform", "store", "access", "event", "images")),
            "node",
                    Map.of(
                            "link", Set.of(),
                            "pull", Set.of("link"),
                            "plans", Set.of("link", "pull"),
                            "starts", Set.of("link", "pull", "plans"),
                            "gate", Set.of("link", "plans"),
                            "containerd", Set.of("link", "pull", "plans", "starts"),
                            "agent", Set.of("link", "pull", "plans", "starts", "gate", "containerd")));

    static {
        module("image-format", "format", Set.of());
        module("linux-syscalls", "linux", Set.of());
        module("object-store", "store", Set.of("format", "linux"));
        module("service-api", "api", Set.of("format"));
        module("oci-registry", "oci", Set.of("format", "api"));
        module("layer-reader", "layer", Set.of());
        module("static-closure", "closure", Set.of("format"));
        module("refactor-engine", "refactor", Set.of("format", "api", "closure", "layer", "oci"));
        module("registry-service", "registry", Set.of("format", "api", "oci", "refactor"));
        module("node-manager", "node", Set.of("format", "store", "linux", "api", "layer", "oci"));
        module("fuse-node", "gate", Set.of("format", "store", "linux", "api"));
        module("faas-adapter", "adapter", Set.of("format", "api"));
        module("function-build", "function", Set.of("format"));
        module("cli", "cli", Set.of("format", "api", "linux", "function", "oci", "refactor"));
        module("bench", "bench", Set.of("format", "api"));
    }

    private static JavaClasses classes;

    private static void module(String directory, String packageName, Set<String> mayUse) {
        MODULES.put(packageName, directory);
        MAY_USE.put(packageName, mayUse);
    }

    @BeforeAll
    static void importEveryModule() {
        Path root = Path.of("").toAbsolutePath().resolve("../..").normalize();
        List<Path> paths = new ArrayList<>();
        MODULES.values().forEach(directory -> paths.add(root.resolve(directory).resolve("target/classes")));
        assertThat(paths).as("every module is compiled before this one").allMatch(Files::isDirectory);
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPaths(paths);
    }

    @Test
    void modulesUseOnlyWhatTheTableSays() {
        MAY_USE.forEach((module, mayUse) -> ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("io.faasimage." + module + "..")
                .should()
                .dependOnClassesThat(ofAnotherModule(module, mayUse))
                .check(classes));
    }

    private static DescribedPredicate<JavaClass> ofAnotherModule(String module, Set<String> mayUse) {
        return DescribedPredicate.describe("are of a module that " + MODULES.get(module) + " may not use", c -> {
            String[] parts = c.getPackageName().split("\\.");
            boolean ours = parts.length > 2 && parts[0].equals("io") && parts[1].equals("faasimage");
            return ours && !parts[2].equals(module) && !mayUse.contains(parts[2]);
        });
    }

    /** Every package counts, a module's root package, too, which a pattern would leave out. */
    @Test
    void packagesHaveNoCycles() {
        SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                        String name = javaClass.getPackageName();
                        return name.startsWith("io.faasimage.") ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "packages of this project";
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(classes);
    }

    /** Rooms use each other in one direction; a root package and the pages' templates may use all. */
    @Test
    void roomsUseOnlyWhatIsBelowThem() {
        ROOMS.forEach((module, rooms) -> rooms.forEach((room, mayUse) -> ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("io.faasimage." + module + "." + room + "..")
                .should()
                .dependOnClassesThat(ofAnotherRoom(module, room, mayUse, rooms.keySet()))
                .check(classes)));
    }

    private static DescribedPredicate<JavaClass> ofAnotherRoom(
            String module, String room, Set<String> mayUse, Set<String> rooms) {
        return DescribedPredicate.describe("are of a room that " + room + " of " + module + " may not use", c -> {
            String[] parts = c.getPackageName().split("\\.");
            boolean ours = parts.length > 2 && parts[1].equals("faasimage") && parts[2].equals(module);
            boolean page = ours && parts.length > 3 && parts[3].equals("template");
            if (ours && parts.length > 3 && !page) {
                assertThat(rooms).as("rooms of " + module).contains(parts[3]);
            }
            return ours && (page || parts.length == 3 || (!parts[3].equals(room) && !mayUse.contains(parts[3])));
        });
    }

    /** Of planned images the snapshotter sees one interface, and the parameters of an overlay. */
    @Test
    void theSnapshotterDoesNotSeePlans() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("io.faasimage.node.containerd.snapshot..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.faasimage.node.plans.plan..",
                        "io.faasimage.node.plans.lookup..",
                        "io.faasimage.node.plans.prefetch..",
                        "io.faasimage.node.pull..",
                        "io.faasimage.node.link.service..")
                .check(classes);
    }

    @Test
    void springStaysInTheServices() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideOutsideOfPackages("io.faasimage.registry..", "io.faasimage.adapter..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework..")
                .check(classes);
    }

    @Test
    void openTelemetryStaysInOnePackage() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideOutsideOfPackage("io.faasimage.registry.platform.span..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .check(classes);
    }

    @Test
    void nativeFuseCodeStaysInOnePackage() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideOutsideOfPackage("io.faasimage.gate.fuse..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("ru.serce.jnrfuse..", "jnr..")
                .check(classes);
    }

    @Test
    void packagesAreNamedByTheNounTheyHold() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("io.faasimage..")
                .should()
                .resideInAnyPackage("..util..", "..utils..", "..common..", "..impl..", "..misc..")
                .check(classes);
    }
}
