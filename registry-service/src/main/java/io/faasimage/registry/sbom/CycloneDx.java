package io.faasimage.registry.sbom;

import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.classify.InstalledPackage;
import io.faasimage.refactor.classify.PackageId;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The writer of CycloneDX documents, version 1.6. Values that CycloneDX has no field for, such as the number of traced
 * starts, are in properties whose names begin with {@code faasimage:}.
 *
 * @see <a href="https://cyclonedx.org/docs/1.6/json/">CycloneDX 1.6</a>
 */
final class CycloneDx {
    /** Media type of the documents. */
    static final String MEDIA_TYPE = "application/vnd.cyclonedx+json";

    private static final int MAX_OCCURRENCES = 20;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Materials materials;
    private final String version;

    private CycloneDx(Materials materials, String version) {
        this.materials = materials;
        this.version = version;
    }

    /** The document of {@code materials}, written by this {@code version} of the service. */
    static byte[] document(Materials materials, String version) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(new CycloneDx(materials, version).document());
    }

    private ObjectNode document() {
        ObjectNode document = JSON.createObjectNode();
        document.put("$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json");
        document.put("bomFormat", "CycloneDX");
        document.put("specVersion", "1.6");
        document.put("serialNumber", "urn:uuid:" + serial());
        document.put("version", 1);
        metadata(document.putObject("metadata"));
        ArrayNode components = document.putArray("components");
        ObjectNode all = JSON.createObjectNode();
        all.put("ref", imageUrl());
        ArrayNode dependsOn = all.putArray("dependsOn");
        for (int i = 0; i < materials.reads().size(); i++) {
            InstalledPackage installed = materials.inventory().packages().get(i);
            component(components.addObject(), installed.id(), materials.reads().get(i));
            dependsOn.add(url(installed.id()));
        }
        document.putArray("dependencies").add(all);
        return document;
    }

    /** The same materials have the same serial number. */
    private UUID serial() {
        String name = materials.image().digest() + " " + materials.plan() + " " + traceDigest();
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    private String traceDigest() {
        return materials
                .trace()
                .map(trace -> TraceCodec.digest(trace).toString())
                .orElse("");
    }

    private void metadata(ObjectNode metadata) {
        metadata.put(
                "timestamp", materials.made().truncatedTo(ChronoUnit.SECONDS).toString());
        ObjectNode tool = metadata.putObject("tools").putArray("components").addObject();
        tool.put("type", "application");
        tool.put("name", "faasimage");
        tool.put("version", version);
        ObjectNode image = metadata.putObject("component");
        image.put("type", "container");
        image.put("bom-ref", imageUrl());
        image.put("name", materials.image().name());
        image.put("version", materials.image().digest().toString());
        image.put("purl", imageUrl());
        ArrayNode properties = metadata.putArray("properties");
        property(properties, "traced_starts", materials.trace().map(Trace::runs).orElse(0));
        property(properties, "traced_files", materials.traced());
        property(properties, "packages", materials.reads().size());
        property(
                properties,
                "packages_loaded_at_start",
                materials.reads().stream().filter(PackageReads::loaded).count());
        property(properties, "plan", materials.plan());
        materials.trace().ifPresent(_ -> property(properties, "trace", traceDigest()));
        materials.inventory().warnings().forEach(warning -> property(properties, "warning", warning));
    }

    private String imageUrl() {
        String name = materials.image().name().replaceFirst("@.*$", "").replaceFirst(":[^/:]*$", "");
        return PackageUrl.ofImage(name, materials.image().digest().toString());
    }

    private String url(PackageId id) {
        return PackageUrl.of(id, materials.inventory().distribution());
    }

    private void component(ObjectNode component, PackageId id, PackageReads reads) {
        component.put("type", id.ecosystem().equals(PackageId.RUNTIME) ? "platform" : "library");
        component.put("bom-ref", url(id));
        component.put("name", id.name());
        if (!id.version().isEmpty()) {
            component.put("version", id.version());
        }
        component.put("purl", url(id));
        evidence(component.putObject("evidence"), id, reads.readFiles());
        ArrayNode properties = component.putArray("properties");
        property(properties, "files", reads.files());
        property(properties, "bytes", reads.bytes());
        if (materials.trace().isPresent()) {
            property(properties, "loaded_at_start", reads.loaded());
            property(properties, "starts_that_read_it", reads.starts());
            property(properties, "files_read_at_start", reads.readFiles().size());
            property(properties, "bytes_read_at_start", reads.readBytes());
            property(properties, "read_on_demand", reads.onDemand());
        }
    }

    private void evidence(ObjectNode evidence, PackageId id, List<FilePath> read) {
        ObjectNode identity = evidence.putArray("identity").addObject();
        identity.put("field", "purl");
        ObjectNode method = identity.putArray("methods").addObject();
        method.put("technique", id.ecosystem().equals(PackageId.RUNTIME) ? "filename" : "manifest-analysis");
        method.put("confidence", id.ecosystem().equals(PackageId.RUNTIME) ? 0.5 : 1);
        if (!read.isEmpty()) {
            ArrayNode occurrences = evidence.putArray("occurrences");
            for (FilePath path : read.subList(0, Math.min(MAX_OCCURRENCES, read.size()))) {
                ObjectNode occurrence = occurrences.addObject();
                occurrence.put("location", path.display());
                occurrence.put("additionalContext", "read by a traced start");
            }
        }
    }

    private static void property(ArrayNode properties, String name, Object value) {
        ObjectNode property = properties.addObject();
        property.put("name", "faasimage:" + name);
        property.put("value", String.valueOf(value));
    }
}
