package io.faasimage.registry.access.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The rest of a filter chain within a scope: a scope's work has one type of checked exception, and a filter two. */
final class ScopedChain {
    /** A scope, such as {@code ScopedValue.where(...)::call}. */
    @FunctionalInterface
    interface Scope {
        @Nullable
        ServletException call(ScopedValue.CallableOp<@Nullable ServletException, IOException> work) throws IOException;
    }

    private ScopedChain() {}

    static void run(Scope scope, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        @Nullable
        ServletException failure = scope.call(() -> {
            try {
                chain.doFilter(request, response);
                return null;
            } catch (ServletException e) {
                return e;
            }
        });
        if (failure != null) {
            throw failure;
        }
    }
}
