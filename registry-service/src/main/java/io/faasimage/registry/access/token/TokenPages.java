package io.faasimage.registry.access.token;

import io.faasimage.api.token.NewToken;
import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenInfo;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.registry.access.identity.Identity;
import io.faasimage.registry.access.identity.Tokens;
import io.faasimage.registry.access.page.Links;
import io.faasimage.registry.access.page.PageController;
import io.faasimage.registry.access.page.Pages;
import io.faasimage.registry.platform.list.Slice;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /ui/tokens}. */
@PageController
public class TokenPages {
    private static final TokenForm EMPTY = new TokenForm("", List.of(), "", "");

    /**
     * The form of a new token.
     *
     * @param name of the token, or of the node
     * @param scope the chosen ones
     * @param days after which it ends; empty for never
     * @param kind {@code enrolment} for a node's enrolment, else a token
     */
    public record TokenForm(String name, List<String> scope, String days, String kind) {
        /** Absent fields are empty. */
        @SuppressWarnings("ConstantValue") // A form may leave out what must be there.
        public TokenForm {
            name = name == null ? "" : name.strip();
            scope = scope == null ? List.of() : List.copyOf(scope);
            days = days == null ? "" : days.strip();
            kind = kind == null ? "" : kind;
        }

        /** Whether the scope is chosen. */
        public boolean has(Scope wanted) {
            return scope.contains(wanted.label());
        }

        TokenRequest request() {
            return kind.equals("enrolment")
                    ? TokenRequest.enrolment(name, null)
                    : new TokenRequest(name, scope.stream().map(Scope::parse).toList(), seconds(), null, false);
        }

        private @Nullable Long seconds() {
            if (days.isEmpty()) {
                return null;
            }
            try {
                return Duration.ofDays(Integer.parseInt(days)).toSeconds();
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("'" + days + "' is no number of days", e);
            }
        }
    }

    /**
     * The content of the page.
     *
     * @param tokens of this page of the list, newest first
     * @param query that names or nodes contain
     * @param form the fields as filled in
     * @param error why it was refused; empty at first
     * @param created the token that was just created, the only time that it is shown
     */
    public record TokensPage(
            Slice<TokenInfo> tokens,
            String query,
            TokenForm form,
            String error,
            @Nullable NewToken created) {}

    private final Pages pages;
    private final Tokens tokens;

    TokenPages(@Lazy Pages pages, Tokens tokens) {
        this.pages = pages;
        this.tokens = tokens;
    }

    /** The address of the list up to the page's number. */
    public static String address(TokensPage page) {
        return "/ui/tokens?" + Links.filter(page.query(), null);
    }

    /** The permissions of a scope, in words. */
    public static String describe(Scope scope) {
        return switch (scope) {
            case NODE -> "read what nodes run, report nodes, starts and traces";
            case DEPLOY -> "register, change and delete functions";
            case VIEW -> "see everything but the contents of files";
            case ADMIN -> "everything";
        };
    }

    @GetMapping("/ui/tokens")
    ResponseEntity<byte[]> all(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "1") int page) {
        return page(request, 200, new TokensPage(slice(q, page), q, EMPTY, "", null));
    }

    private Slice<TokenInfo> slice(String query, int page) {
        List<TokenInfo> found = tokens.all().stream()
                .filter(token -> Stream.of(token.name(), token.id())
                        .anyMatch(text -> text.toLowerCase(Locale.ROOT).contains(query.toLowerCase(Locale.ROOT))))
                .toList();
        List<TokenInfo> rows =
                found.stream().skip(Slice.offset(page)).limit(Slice.SIZE).toList();
        return Slice.of(rows, page, found.size());
    }

    private ResponseEntity<byte[]> page(HttpServletRequest request, int status, TokensPage page) {
        return pages.page(request, HttpStatusCode.valueOf(status), "tokens", "tokens", page);
    }

    /** Answers with the page itself and no redirect: the token's text is nowhere else. */
    @PostMapping("/ui/tokens")
    ResponseEntity<byte[]> create(
            HttpServletRequest request, @ModelAttribute TokenForm form, @AuthenticationPrincipal Identity caller) {
        NewToken created;
        try {
            created = tokens.create(form.request(), caller);
        } catch (IllegalArgumentException e) {
            return page(request, 400, new TokensPage(slice("", 1), "", form, String.valueOf(e.getMessage()), null));
        }
        return page(request, 200, new TokensPage(slice("", 1), "", EMPTY, "", created));
    }

    @PostMapping("/ui/tokens/{id}/revoke")
    ResponseEntity<Void> revoke(@PathVariable String id, @AuthenticationPrincipal Identity caller) {
        tokens.revoke(id, caller);
        return ResponseEntity.status(303).location(URI.create("/ui/tokens")).build();
    }
}
