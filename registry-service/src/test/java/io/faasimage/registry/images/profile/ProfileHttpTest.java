package io.faasimage.registry.images.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.profile.ProfileInfo;
import io.faasimage.api.profile.ProfileInfo.ReadFile;
import io.faasimage.format.plan.Library;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.predict.Profile;
import io.faasimage.registry.LayoutImage;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.assertj.core.util.DoubleComparator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Profiles from traces of images, with the refactor engine itself, and imported ones. */
@Timeout(120)
class ProfileHttpTest extends SharedServices {
    private static final String SITE = "usr/local/lib/python3.12/site-packages/";

    @TempDir
    private Path directory;

    @Test
    void startsOfFunctionsAddUpAndAFunctionsOwnDoNotCountForIt() throws Exception {
        TestService service = serviceWithEngine();
        traced(service, "one", "2.0.1", "requests/__init__.py", "requests/api.py");
        traced(service, "two", "2.0.1", "requests/__init__.py");
        traced(service, "three", "2.0.1");
        ProfileInfo profile = service.client().profiles().of("requests").getFirst();
        assertThat(profile.functions()).isCloseTo(3, within(0.01));
        assertThat(profile.used()).isCloseTo(2.0 / 3, within(0.01));
        assertThat(profile.files())
                .extracting(ReadFile::name)
                .containsExactly("requests/__init__.py", "requests/api.py");
        assertThat(profile.files().getLast().share()).isCloseTo(0.5, within(0.01));
        Library newer = new Library("python", "requests", "2.1.0");
        Profile forTwo =
                service.part(ProfileStore.class).of(newer, repository("two")).orElseThrow();
        assertThat(forTwo.functions()).isCloseTo(2, within(0.01));
        assertThat(forTwo.reads().library().version()).isEqualTo("2.0.1");
        assertThat(forTwo.reads().files().getLast().share()).isCloseTo(1, within(0.01));
    }

    @Test
    void importedProfilesReplaceThoseImportedBefore() throws Exception {
        TestService service = withoutImported();
        ProfileInfo flask = profile("flask", 0.5);
        service.client().profiles().replaceImported(List.of(profile("django", 1), flask));
        service.client().profiles().replaceImported(List.of(flask));
        assertThat(service.client().profiles().all()).hasSize(1);
        assertThat(service.client().profiles().all().getFirst().files())
                .as("shares are quotients of weights by age")
                .usingRecursiveFieldByFieldElementComparator(RecursiveComparisonConfiguration.builder()
                        .withComparatorForType(new DoubleComparator(1e-9), Double.class)
                        .build())
                .isEqualTo(flask.files());
        assertThatThrownBy(() -> service.client().profiles().replaceImported(List.of(profile("bad", 2))))
                .hasMessageContaining("shares must be");
        assertThat(service.client().profiles().all()).hasSize(1);
    }

    @Test
    void shippedProfilesCountUntilAFunctionUsesTheLibrary() throws Exception {
        Library express = new Library("node", "express", "5.0.0");
        TestService service = withoutImported();
        ProfileStore store = service.part(ProfileStore.class);
        assertThat(store.of(express, "any")).isPresent();
        assertThat(service.client().profiles().all()).isEmpty();
        ProfileInfo own = new ProfileInfo("node", "express", "4.0", 2, 1, List.of(new ReadFile("own.js", 1, 0)));
        service.client().profiles().replaceImported(List.of(own));
        assertThat(store.of(express, "any").orElseThrow().reads().library().version())
                .isEqualTo("4.0");
        TestService without = service("--faasimage.shipped-profiles=false");
        assertThat(without.part(ProfileStore.class).of(express, "any")).isEmpty();
    }

    /** The service without the profiles that another test imported. */
    private static TestService withoutImported() throws IOException {
        TestService service = service();
        service.client().profiles().replaceImported(List.of());
        return service;
    }

    private static ProfileInfo profile(String name, double share) {
        return new ProfileInfo("python", name, "1.0", 4, 1, List.of(new ReadFile(name + ".py", share, 3)));
    }

    private String repository(String name) {
        return "oci:" + directory.resolve(name);
    }

    private void traced(TestService service, String name, String version, String... read) throws IOException {
        LayoutImage image = LayoutImage.write(
                directory.resolve(name),
                Map.of(
                        SITE + "requests/__init__.py",
                        bytes("init"),
                        SITE + "requests/api.py",
                        bytes("api"),
                        SITE + "requests-" + version + ".dist-info/METADATA",
                        bytes("Name: requests\nVersion: " + version + "\n"),
                        SITE + "requests-" + version + ".dist-info/RECORD",
                        bytes("requests/__init__.py,,\nrequests/api.py,,\n"),
                        "app/" + name,
                        bytes(name)));
        service.client().register(new FunctionRequest(name, repository(name), null, null));
        List<TraceEntry> entries = new ArrayList<>();
        entries.add(TraceEntry.whole(FilePath.ofText("app/" + name), 1, 0, 0));
        for (String path : read) {
            entries.add(TraceEntry.whole(FilePath.ofText(SITE + path), 1, entries.size(), 0));
        }
        String job = service.client()
                .postTrace(TraceCodec.encode(new Trace(image.chain(), 1, entries)))
                .id();
        assertThat(service.awaitEnd(job).error()).isNull();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
