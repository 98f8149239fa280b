package io.faasimage.registry.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobTable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.support.TransactionOperations;

/** Tests of places of objects that were looked up before and may have changed since. */
@Timeout(60)
class ObjectTableTest extends SharedServices {
    private static int last;

    private final ObjectTable table = service().part(ObjectTable.class);
    private final TransactionOperations transaction = service().part(TransactionOperations.class);
    private final StoredObject first = object(pack());
    private final StoredObject second = object(first.blob());

    private static Blob pack() {
        return Blob.pack(Digest.of(new byte[] {(byte) ++last, 1}).hex() + ".pack");
    }

    private static StoredObject object(Blob pack) {
        return new StoredObject(Digest.of(new byte[] {(byte) ++last}), pack, 100, 10, 20);
    }

    private void add(StoredObject... objects) {
        service()
                .part(BlobTable.class)
                .protect(List.of(objects).stream().map(StoredObject::blob).toList());
        transaction.executeWithoutResult(_ -> table.addAll(List.of(objects)));
    }

    private Map<Digest, StoredObject> find() {
        return table.find(List.of(first.digest(), second.digest()));
    }

    private void assertBothAreFound() {
        assertThat(find()).containsOnly(Map.entry(first.digest(), first), Map.entry(second.digest(), second));
    }

    @Test
    void aDamagedObjectHasNoPlace() {
        add(first, second);
        assertBothAreFound();
        table.forget(first);
        assertThat(find()).containsOnlyKeys(second.digest());
        add(first);
        assertBothAreFound();
    }

    @Test
    void objectsOfARemovedPackHaveNoPlace() {
        StoredObject other = object(pack());
        add(first, second, other);
        assertBothAreFound();
        transaction.executeWithoutResult(_ -> {
            table.keepPlaces();
            table.removeAll(first.blob());
        });
        assertThat(table.find(List.of(first.digest(), second.digest(), other.digest())))
                .containsOnlyKeys(other.digest());
    }

    @Test
    void onlyADamagedObjectGetsAnotherPlace() {
        add(first, second);
        StoredObject moved = new StoredObject(first.digest(), pack(), 7, 8, 20);
        assertThatThrownBy(() -> add(moved)).isInstanceOf(OptimisticLockingFailureException.class);
        assertBothAreFound();
        table.forget(first);
        add(moved);
        assertThat(find()).containsEntry(first.digest(), moved).containsEntry(second.digest(), second);
    }
}
