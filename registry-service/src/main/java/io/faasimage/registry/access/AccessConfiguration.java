package io.faasimage.registry.access;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The registration of the {@link AccessInterceptor} for every controller. */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration implements WebMvcConfigurer {
    private final AccessInterceptor interceptor;

    AccessConfiguration(AccessInterceptor interceptor) {
        this.interceptor = interceptor;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(interceptor);
    }
}
