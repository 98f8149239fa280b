package io.faasimage.cli.tune;

/** The state of a lever on this machine. */
public sealed interface LeverState {
    /** One word or two for it. */
    String label();

    /** Where it is set, how it is turned on, or why it cannot be. */
    String detail();

    /** It works. */
    record On(String detail) implements LeverState {
        @Override
        public String label() {
            return "on";
        }
    }

    /** It could be turned on. */
    record Off(String detail) implements LeverState {
        @Override
        public String label() {
            return "off";
        }
    }

    /** It cannot be turned on here. */
    record Impossible(String detail) implements LeverState {
        @Override
        public String label() {
            return "not possible";
        }
    }
}
