package io.faasimage.api.token;

/**
 * The answer to {@code POST /v1/tokens}.
 *
 * @param token the text to present, {@code fsi_<id>_<secret>}; the service does not keep it and cannot show it again
 * @param info the token as it is listed
 */
public record NewToken(String token, TokenInfo info) {
    /** The secret stays out of logs. */
    @Override
    public String toString() {
        return info.toString();
    }
}
