package io.faasimage.registry.page;

import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.view.FunctionList;
import io.faasimage.registry.view.JobList;
import io.faasimage.registry.view.LibraryList;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Addresses of lists with their filters, and the names of states. */
public final class Links {
    private Links() {}

    /** A list of functions up to the page's number. */
    public static String functions(FunctionList list) {
        return "/ui/functions?" + filter(list.query(), list.state());
    }

    /** A page of a list of functions. */
    public static String functions(FunctionList list, int page) {
        return functions(list) + "page=" + page;
    }

    /** A list of libraries up to the page's number. */
    public static String libraries(LibraryList list) {
        return "/ui/libraries?" + filter(list.query(), null);
    }

    /** A list of jobs up to the page's number. */
    public static String jobs(JobList list) {
        return "/ui/jobs?" + filter(list.query(), list.state());
    }

    /** A segment as the address of a filter has it; empty for all of them. */
    public static String label(@org.jspecify.annotations.Nullable Segment segment) {
        return segment == null ? "" : segment.name().toLowerCase(Locale.ROOT);
    }

    private static String filter(String query, @org.jspecify.annotations.Nullable Enum<?> state) {
        String text = query.isEmpty() ? "" : "q=" + encoded(query) + "&";
        return text + (state == null ? "" : "state=" + state.name() + "&");
    }

    /** An image's reference without the host of its registry. */
    public static String withoutHost(String reference) {
        int slash = reference.indexOf('/');
        String first = slash < 0 ? "" : reference.substring(0, slash);
        boolean host = first.contains(".") || first.contains(":") || first.equals("localhost");
        return host ? reference.substring(slash + 1) : reference;
    }

    /** Text as part of an address. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** How far an image is, in words. */
    public static String label(ImageState state) {
        return switch (state) {
            case UNTRACED -> "not traced";
            case REFACTORING -> "refactoring";
            case PLANNED -> "planned";
            case FAILED -> "failed";
        };
    }

    /** Where events come from, in words. */
    public static String label(EventInfo.Source source) {
        return switch (source) {
            case JOB -> "jobs";
            case NODE -> "nodes";
        };
    }

    /** How much an event matters, in words. */
    public static String label(EventInfo.Severity severity) {
        return switch (severity) {
            case INFO -> "info";
            case FALLBACK -> "fall-back";
            case ERROR -> "error";
        };
    }

    /** How far a job is, in words. */
    public static String label(JobInfo.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
