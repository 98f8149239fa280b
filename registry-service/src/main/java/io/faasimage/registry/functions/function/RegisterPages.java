package io.faasimage.registry.functions.function;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.Readiness;
import io.faasimage.registry.access.page.PageController;
import io.faasimage.registry.access.page.Pages;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

/** {@code /ui/register}: functions from an image. */
@PageController
public class RegisterPages {
    /**
     * The fields of an image's form.
     *
     * @param name of the function
     * @param image reference
     * @param runtime may be empty
     * @param port of the readiness probe; may be empty
     * @param path of the readiness probe; may be empty
     */
    public record ImageForm(String name, String image, String runtime, String port, String path) {
        /** Absent fields are empty. */
        @SuppressWarnings("ConstantValue") // A form may leave out what must be there.
        public ImageForm {
            name = name == null ? "" : name.strip();
            image = image == null ? "" : image.strip();
            runtime = runtime == null ? "" : runtime.strip();
            port = port == null ? "" : port.strip();
            path = path == null ? "" : path.strip();
        }

        FunctionRequest request() {
            return new FunctionRequest(name, image, runtime.isEmpty() ? null : runtime, readiness());
        }

        @Nullable
        Readiness readiness() {
            if (port.isEmpty() && path.isEmpty()) {
                return null;
            }
            try {
                return new Readiness(Integer.parseInt(port), path.isEmpty() ? "/" : path);
            } catch (NumberFormatException e) {
                throw new ProblemException(
                        ProblemKind.BAD_REQUEST, "The readiness port is not a number from 1 to 65535.", e);
            } catch (IllegalArgumentException e) {
                throw new ProblemException(ProblemKind.BAD_REQUEST, String.valueOf(e.getMessage()), e);
            }
        }
    }

    /**
     * The content of the page.
     *
     * @param form the fields as filled in
     * @param error why it was refused; empty at first
     */
    public record RegisterPage(ImageForm form, String error) {}

    private final Pages pages;
    private final FunctionService functions;

    RegisterPages(@Lazy Pages pages, FunctionService functions) {
        this.pages = pages;
        this.functions = functions;
    }

    @GetMapping("/ui/register")
    ResponseEntity<byte[]> form(HttpServletRequest request) {
        return form(request, 200, new ImageForm("", "", "", "", ""), "");
    }

    private ResponseEntity<byte[]> form(HttpServletRequest request, int status, ImageForm form, String error) {
        return pages.page(
                request, HttpStatusCode.valueOf(status), "register", "register", new RegisterPage(form, error));
    }

    @PostMapping("/ui/register")
    ResponseEntity<byte[]> register(HttpServletRequest request, @ModelAttribute ImageForm form) {
        FunctionInfo function;
        try {
            function = functions.register(form.request());
        } catch (ProblemException e) {
            return form(request, e.kind().status(), form, String.valueOf(e.getMessage()));
        }
        return ResponseEntity.status(303)
                .location(URI.create("/ui/functions/" + function.name() + "?done=registered"))
                .build();
    }
}
