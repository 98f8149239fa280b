package io.faasimage.registry.functions.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.registry.platform.problem.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "hello-world", "v1.thumb_nail", "a--b"})
    void namesOfLettersDigitsAndDotsAreTaken(String name) {
        assertThat(FunctionName.of(name).text()).isEqualTo(name);
    }

    @Test
    void theLongestNameHas253Characters() {
        assertThat(FunctionName.of("x".repeat(253)).text()).hasSize(253);
        assertThatThrownBy(() -> FunctionName.of("x".repeat(254))).isInstanceOf(ProblemException.class);
    }
}
