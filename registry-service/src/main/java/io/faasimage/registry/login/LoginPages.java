package io.faasimage.registry.login;

import io.faasimage.api.login.LoginInfo;
import io.faasimage.api.login.LoginRequest;
import io.faasimage.registry.page.PageController;
import io.faasimage.registry.page.Pages;
import io.faasimage.registry.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /ui/logins}: the logins at image registries. No page has a password. */
@PageController
public class LoginPages {
    private static final URI LIST = URI.create("/ui/logins");

    /**
     * What the page shows.
     *
     * @param logins by repository
     * @param repository that was filled in
     * @param user that was filled in
     * @param error why it was refused; empty at first
     */
    public record LoginsPage(List<LoginInfo> logins, String repository, String user, String error) {}

    private final Pages pages;
    private final Logins logins;

    LoginPages(@Lazy Pages pages, Logins logins) {
        this.pages = pages;
        this.logins = logins;
    }

    @GetMapping("/ui/logins")
    ResponseEntity<byte[]> all(HttpServletRequest request) {
        return page(request, 200, "", "", "");
    }

    private ResponseEntity<byte[]> page(
            HttpServletRequest request, int status, String repository, String user, String error) {
        LoginsPage page = new LoginsPage(logins.all(), repository, user, error);
        return pages.page(request, HttpStatusCode.valueOf(status), "logins", "logins", page);
    }

    @PostMapping("/ui/logins")
    ResponseEntity<byte[]> put(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String repository,
            @RequestParam(defaultValue = "") String user,
            @RequestParam(defaultValue = "") String password) {
        try {
            logins.put(new LoginRequest(repository.strip(), user.strip(), password));
        } catch (IllegalArgumentException e) {
            return page(request, 400, repository, user, String.valueOf(e.getMessage()));
        } catch (ProblemException e) {
            // Without a key that encrypts them, no login is stored.
            return page(request, e.kind().status(), repository, user, String.valueOf(e.getMessage()));
        }
        return ResponseEntity.status(303).location(LIST).build();
    }

    @PostMapping("/ui/logins/delete")
    ResponseEntity<Void> delete(@RequestParam String repository) {
        logins.delete(repository);
        return ResponseEntity.status(303).location(LIST).build();
    }
}
