package io.faasimage.api.image;

/**
 * A public key that verifies the statements of plans: {@code GET /v1/plan-keys}.
 *
 * @param id SHA-256 of the key as SubjectPublicKeyInfo
 * @param signs whether the service signs with it now; false for an earlier one
 * @param pem the key, as nodes take it ({@code --plan-key})
 */
public record PlanKeyInfo(String id, boolean signs, String pem) {}
