package io.faasimage.registry.tenant;

import io.faasimage.api.tenant.TenantInfo;
import io.faasimage.api.tenant.TenantQuotas;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The tenants of this installation, as they were three seconds ago at most. One that another service created is found
 * when the list is read next. Not to be called in a transaction. Thread-safe.
 */
@Component
public class Tenants implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Tenants.class);
    private static final long FRESH_NANOS = Duration.ofSeconds(3).toNanos();

    private final TenantTable table;
    private final TenantSchemas schemas;
    private final TenantBeans beans;
    private final ConfigurableListableBeanFactory factory;
    private final TransactionOperations transaction;
    private final Clock clock;
    private final Set<TenantName> ready = new HashSet<>();
    private final ReentrantLock reading = new ReentrantLock();
    private volatile Map<TenantName, TenantInfo> known = Map.of();
    private volatile Set<TenantName> unready = Set.of();
    private volatile boolean wasRead;
    private volatile long read = System.nanoTime() - FRESH_NANOS;
    private volatile boolean running;

    Tenants(
            TenantTable table,
            TenantSchemas schemas,
            TenantBeans beans,
            ConfigurableListableBeanFactory factory,
            TransactionOperations transaction,
            Clock clock) {
        this.table = table;
        this.schemas = schemas;
        this.beans = beans;
        this.factory = factory;
        this.transaction = transaction;
        this.clock = clock;
        this.ready.add(TenantName.DEFAULT);
    }

    /** One thread reads the list again, and others go on with what was read last, also when the database is away. */
    private Map<TenantName, TenantInfo> known() {
        if (System.nanoTime() - read >= FRESH_NANOS && reading.tryLock()) {
            try {
                read();
            } catch (DataAccessException e) {
                LOG.warn("could not read the list of tenants; next attempt in 3 s: {}", e.toString());
                read = System.nanoTime();
            } finally {
                reading.unlock();
            }
        }
        return known;
    }

    /** For the thread that has the lock. */
    private void read() {
        Map<TenantName, TenantInfo> now = TenantScope.shared(table::all).stream()
                .collect(Collectors.toMap(info -> new TenantName(info.name()), Function.identity()));
        List<TenantName> gone = known.values().stream()
                .filter(before -> isGone(before, now))
                .map(before -> new TenantName(before.name()))
                .toList();
        gone.forEach(ready::remove);
        now.keySet().stream().filter(name -> !ready.contains(name)).forEach(this::prepare);
        Set<TenantName> failed = new HashSet<>(now.keySet());
        failed.removeAll(ready);
        now.keySet().retainAll(ready);
        unready = Set.copyOf(failed);
        known = Map.copyOf(now);
        wasRead = true;
        read = System.nanoTime();
        gone.forEach(beans::end);
    }

    /** Also one that was removed, by any service, and created anew since. */
    private static boolean isGone(TenantInfo before, Map<TenantName, TenantInfo> now) {
        TenantInfo present = now.get(new TenantName(before.name()));
        return present == null || !present.created().equals(before.created());
    }

    /** A tenant that another version of this service created may lack tables. */
    private void prepare(TenantName tenant) {
        try {
            TenantScope.run(TenantName.DEFAULT, () -> schemas.migrate(tenant));
            ready.add(tenant);
            LOG.info("tenant {} is ready", tenant);
        } catch (RuntimeException e) {
            // The others go on.
            LOG.error("the tables of tenant {} could not be made; next attempt in 3 s", tenant, e);
        }
    }

    /** The names of all tenants, in their order. */
    public List<TenantName> names() {
        return known().keySet().stream()
                .sorted((one, other) -> one.text().compareTo(other.text()))
                .toList();
    }

    /** A tenant. */
    public Optional<TenantInfo> find(TenantName name) {
        return Optional.ofNullable(known().get(name));
    }

    /**
     * The tenant of this name.
     *
     * @throws ProblemException when there is none; one that passes when it has no tables yet, or the list could not be
     *     read since the start: a node that took that for an absent tenant would forget its plans
     */
    public TenantName named(String name) {
        return names().stream()
                .filter(tenant -> tenant.text().equals(name))
                .findFirst()
                .orElseThrow(() -> isUndecided(name) ? notReady(name) : unknown(name));
    }

    private boolean isUndecided(String name) {
        return !wasRead || unready.stream().anyMatch(tenant -> tenant.text().equals(name));
    }

    private static ProblemException notReady(String name) {
        return ProblemException.retryLater(
                ProblemKind.DATABASE_UNAVAILABLE,
                "tenant '" + name + "' cannot be served yet, as its tables or the list of tenants could not be read or"
                        + " made; the service's log says why",
                Duration.ofNanos(FRESH_NANOS));
    }

    /** The problem that there is no such tenant. */
    public static ProblemException unknown(String name) {
        return ProblemException.notFound("there is no tenant '" + name + "'; GET /v1/tenants lists all");
    }

    /** What the present tenant may use. */
    public TenantQuotas quotas() {
        return find(TenantScope.current()).map(TenantInfo::quotas).orElse(TenantQuotas.NONE);
    }

    /** Does something for each tenant; what fails for one does not keep it from the others. */
    public void each(String what, Runnable work) {
        for (TenantName tenant : names()) {
            try {
                TenantScope.run(tenant, work);
            } catch (RuntimeException e) {
                LOG.warn("could not {} of tenant {}: {}", what, tenant, e.toString());
            }
        }
    }

    /**
     * Creates a tenant with its schema; empty when there is one of this name. What an earlier tenant of the name left
     * is dropped.
     *
     * @param record of the change, written in its transaction
     * @param undone record that the tenant was removed again, as its tables could not be made
     * @throws ProblemException when they could not
     */
    public Optional<TenantInfo> create(
            TenantName name, TenantQuotas quotas, Consumer<TenantInfo> record, Consumer<TenantInfo> undone) {
        TenantInfo tenant = new TenantInfo(name.text(), quotas, clock.instant().truncatedTo(ChronoUnit.MICROS));
        boolean added = TenantScope.shared(() -> Boolean.TRUE.equals(transaction.execute(_ -> {
            boolean isNew = table.add(tenant);
            if (isNew) {
                record.accept(tenant);
                // Last, as H2 commits what comes before.
                schemas.drop(name);
            }
            return isNew;
        })));
        readNow();
        if (added && find(name).isEmpty()) {
            remove(name, () -> undone.accept(tenant));
            throw new ProblemException(
                    ProblemKind.INTERNAL,
                    "the tables of tenant '" + name + "' could not be made, and it was removed again; the service's log"
                            + " says why");
        }
        return added ? find(name) : Optional.empty();
    }

    /**
     * Replaces the quotas of a tenant.
     *
     * @param record of the change, written in its transaction
     */
    public void set(TenantName name, TenantQuotas quotas, Runnable record) {
        change(() -> table.set(name, quotas), record);
    }

    /**
     * Removes a tenant with all of its rows, or neither; the default tenant stays.
     *
     * @param record of the change, written in the transaction after which the tenant is not found
     */
    public void remove(TenantName name, Runnable record) {
        if (name.isDefault()) {
            throw new IllegalArgumentException("the default tenant is not removed");
        }
        change(() -> table.remove(name), () -> {
            record.run();
            // Last, as H2 commits what comes before.
            schemas.drop(name);
        });
    }

    private void change(Runnable change, Runnable record) {
        TenantScope.run(
                TenantName.DEFAULT,
                () -> transaction.executeWithoutResult(_ -> {
                    change.run();
                    record.run();
                }));
        readNow();
    }

    private void readNow() {
        reading.lock();
        try {
            read();
        } finally {
            reading.unlock();
        }
    }

    /** Begins what adds up the starts of each tenant, also of one that nobody calls now. */
    @Override
    public void start() {
        running = true;
        List<String> scoped = List.of(factory.getBeanDefinitionNames()).stream()
                .filter(name -> TenantBeans.SCOPE.equals(
                        factory.getMergedBeanDefinition(name).getScope()))
                .toList();
        each("begin the work", () -> scoped.forEach(factory::getBean));
    }

    @Override
    public void stop() {
        running = false;
        beans.endAll();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Starts before all that works for tenants, and ends after it. */
    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE - 3;
    }
}
