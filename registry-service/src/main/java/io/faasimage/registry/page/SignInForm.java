package io.faasimage.registry.page;

import io.faasimage.registry.config.PageSettings;
import io.faasimage.registry.identity.People;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/** The page of the sign-in, with the ways that there are. Thread-safe. */
@Lazy
@Component
class SignInForm {
    private final Pages pages;
    private final People people;
    private final PageSettings settings;

    SignInForm(Pages pages, People people, PageSettings settings) {
        this.pages = pages;
        this.people = people;
        this.settings = settings;
    }

    /** The page that leads to {@code next}, with the reason why the last try failed. */
    ResponseEntity<byte[]> page(HttpServletRequest request, int status, String next, String error) {
        String ours = SignInController.ours(next);
        String provider = people.canSignIn()
                ? ProviderSignInController.BEGIN + "?next=" + URLEncoder.encode(ours, StandardCharsets.UTF_8)
                : "";
        return pages.page(
                request,
                HttpStatusCode.valueOf(status),
                "",
                "signin",
                new SignInController.SignIn(ours, error, settings.anonymous(), provider));
    }
}
