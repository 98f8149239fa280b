package io.faasimage.registry.images.profile;

import io.faasimage.api.profile.ProfileInfo;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.problem.ProblemException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/profiles}. */
@RestController
@RequestMapping("/v1/profiles")
class ProfileController {
    private static final int MOST_ECOSYSTEM_CHARS = 32;
    private static final double MOST_FUNCTIONS = 1e9;

    private final ProfileStore profiles;
    private final AuditLog audit;
    private final TransactionOperations transaction;

    ProfileController(ProfileStore profiles, AuditLog audit, TransactionOperations transaction) {
        this.profiles = profiles;
        this.audit = audit;
        this.transaction = transaction;
    }

    /** The profiles of all libraries and runtimes, or of those with a name; shipped ones are not among them. */
    @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
    List<ProfileInfo> all(@RequestParam(defaultValue = "") String name) {
        return profiles.all(name);
    }

    /** Replaces the profiles that were imported before. */
    @PutMapping(path = "/imported", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void replaceImported(@RequestBody List<ProfileInfo> imported) {
        imported.forEach(ProfileController::check);
        transaction.executeWithoutResult(_ -> {
            profiles.replaceImported(imported);
            audit.add(AuditAction.PROFILE_IMPORT, "imported", null, Map.of("profiles", imported.size()));
        });
    }

    private static void check(@Nullable ProfileInfo profile) {
        if (profile == null || !isValid(profile)) {
            throw ProblemException.badRequest("the profile of '" + (profile == null ? "" : profile.name())
                    + "' is not one: names must not be empty, shares must be above 0 and at most 1");
        }
    }

    private static boolean isValid(ProfileInfo profile) {
        return isName(profile.ecosystem(), MOST_ECOSYSTEM_CHARS)
                && isName(profile.name(), Integer.MAX_VALUE)
                && isName(profile.version(), Integer.MAX_VALUE)
                && profile.functions() > 0
                && profile.functions() < MOST_FUNCTIONS
                && profile.used() >= 0
                && profile.used() <= 1
                && profile.files().stream()
                        .allMatch(file -> isName(file.name(), Integer.MAX_VALUE)
                                && file.share() > 0
                                && file.share() <= 1
                                && file.rank() >= 0);
    }

    private static boolean isName(@Nullable String text, int most) {
        return text != null && !text.isBlank() && text.length() <= most;
    }
}
