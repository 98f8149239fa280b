package io.faasimage.registry.build;

import io.faasimage.api.job.BuildInfo;
import io.faasimage.registry.page.PageController;
import io.faasimage.registry.page.Pages;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** {@code /ui/builds}. */
@PageController
public class BuildPages {
    /**
     * What the page of a build shows.
     *
     * @param build how far it is
     * @param output what the package manager printed
     */
    public record BuildPage(BuildInfo build, String output) {}

    private final Pages pages;
    private final BuildService builds;

    BuildPages(@Lazy Pages pages, BuildService builds) {
        this.pages = pages;
        this.builds = builds;
    }

    /** The state of a build. */
    @GetMapping("/ui/builds/{id}")
    ResponseEntity<byte[]> build(HttpServletRequest request, @PathVariable String id) {
        String output = new String(builds.output(id, 0), StandardCharsets.UTF_8);
        return pages.page(request, "register", "build", new BuildPage(builds.get(id), output));
    }
}
