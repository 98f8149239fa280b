package io.faasimage.registry.session;

import io.faasimage.registry.identity.Person;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The bytes of a person in the cookie of a sign-in: issuer, subject, name, and groups after their number. */
final class PersonCode {
    /** Browsers keep cookies of 4,096 bytes, and base64 makes these a third longer. */
    static final int MOST_BYTES = 2_500;

    private PersonCode() {}

    /** @throws IllegalArgumentException when the person is in too many groups for a cookie */
    static byte[] encode(String issuer, Person person) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(issuer);
            out.writeUTF(person.subject());
            out.writeUTF(person.name());
            out.writeShort(person.groups().size());
            for (String group : person.groups()) {
                out.writeUTF(group);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an array takes all bytes", e);
        }
        if (bytes.size() > MOST_BYTES) {
            throw new IllegalArgumentException("you are in too many groups for a sign-in");
        }
        return bytes.toByteArray();
    }

    /** The person, if this issuer has vouched for it. */
    static Optional<Person> decode(String issuer, byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (!in.readUTF().equals(issuer)) {
                return Optional.empty();
            }
            String subject = in.readUTF();
            String name = in.readUTF();
            List<String> groups = new ArrayList<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                groups.add(in.readUTF());
            }
            return Optional.of(new Person(subject, name, groups));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
