package io.faasimage.registry.profile;

import io.faasimage.api.profile.ProfileInfo;
import io.faasimage.registry.problem.ProblemException;
import java.util.List;
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
    private final ProfileStore profiles;
    private final TransactionOperations transaction;

    ProfileController(ProfileStore profiles, TransactionOperations transaction) {
        this.profiles = profiles;
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
        transaction.executeWithoutResult(_ -> profiles.replaceImported(imported));
    }

    private static void check(ProfileInfo profile) {
        boolean isValid = !profile.ecosystem().isBlank()
                && !profile.name().isBlank()
                && !profile.version().isBlank()
                && profile.functions() > 0
                && profile.used() >= 0
                && profile.used() <= 1
                && profile.files().stream()
                        .allMatch(file ->
                                !file.name().isEmpty() && file.share() > 0 && file.share() <= 1 && file.rank() >= 0);
        if (!isValid) {
            throw ProblemException.badRequest("the profile of '" + profile.name()
                    + "' is not one: names must not be empty, shares must be above 0 and at most 1");
        }
    }
}
