package io.faasimage.registry.tenant;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

/**
 * A bean that remembers something of rows or blobs, such as a cache, and of which each tenant has one of its own.
 * Others call the one of their {@link TenantScope} through a proxy; so the class is not final.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Scope(scopeName = TenantBeans.SCOPE, proxyMode = ScopedProxyMode.TARGET_CLASS)
public @interface TenantScoped {}
