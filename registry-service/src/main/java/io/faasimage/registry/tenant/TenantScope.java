package io.faasimage.registry.tenant;

import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * The tenant for whom a thread works. The one place that decides whose rows and blobs are read and written: connections
 * to the database and the store of blobs ask it. A request has the tenant of its token; without a scope it is the
 * default tenant. Scopes do not pass to other threads by themselves: what is handed to one is {@link #bound}.
 */
public final class TenantScope {
    private static final ScopedValue<TenantName> CURRENT = ScopedValue.newInstance();

    private TenantScope() {}

    /** The tenant for whom the calling thread works. */
    public static TenantName current() {
        return CURRENT.orElse(TenantName.DEFAULT);
    }

    /** Works for a tenant. */
    public static <T, X extends Throwable> T call(TenantName tenant, ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(CURRENT, tenant).call(work);
    }

    /** As {@link #call}. */
    public static void run(TenantName tenant, Runnable work) {
        ScopedValue.where(CURRENT, tenant).run(work);
    }

    /** Works on what all tenants share, which is in the tables of the default one. */
    public static <T> T shared(Supplier<T> work) {
        return ScopedValue.where(CURRENT, TenantName.DEFAULT).call(work::get);
    }

    /** The work of another thread for the tenant of this one. */
    public static Runnable bound(Runnable work) {
        TenantName tenant = current();
        return () -> run(tenant, work);
    }

    /** As above. */
    public static <T> Callable<T> boundCall(Callable<T> work) {
        TenantName tenant = current();
        return () -> call(tenant, work::call);
    }
}
