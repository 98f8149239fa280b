package io.faasimage.gate.fuse;

import io.faasimage.format.erofs.ErofsView;
import io.faasimage.format.id.Digest;
import io.faasimage.gate.image.ImageFiles;
import io.faasimage.gate.image.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jnr.ffi.BaseStruct;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;
import ru.serce.jnrfuse.ErrorCodes;
import ru.serce.jnrfuse.struct.FuseFileInfo;
import ru.serce.jnrfuse.struct.Statvfs;

/**
 * The callbacks of a mount that shows the root file systems of images. They are put into libfuse's table past
 * jnr-fuse's own ones, because those take names for text; see {@link RawCallbacks}.
 */
final class ImageFileSystem extends ServedFileSystem {
    private static final int NAME_BYTES = 255;
    private static final int BLOCK = 4096;

    private final Runtime runtime = Runtime.getSystemRuntime();
    private final ImageFiles files;
    private final OpenObjects open = new OpenObjects();
    /** jnr-ffi itself holds callbacks weakly. */
    private final List<Object> held = new ArrayList<>();

    ImageFileSystem(ImageFiles files, Runnable onInit) {
        super(onInit);
        this.files = files;
        register(fuseOperations.getattr, RawCallbacks.AtPath.class, this::attributes);
        register(fuseOperations.readlink, RawCallbacks.BytesOf.class, this::target);
        register(fuseOperations.readdir, RawCallbacks.ReadDirectory.class, this::list);
        register(fuseOperations.getxattr, RawCallbacks.NamedBytesOf.class, this::xattr);
        register(fuseOperations.listxattr, RawCallbacks.BytesOf.class, this::xattrNames);
        register(fuseOperations.open, RawCallbacks.AtPath.class, this::open);
        register(fuseOperations.read, RawCallbacks.Read.class, this::read);
        register(fuseOperations.release, RawCallbacks.AtPath.class, this::release);
        register(fuseOperations.statfs, RawCallbacks.AtPath.class, this::space);
    }

    private <T> void register(BaseStruct.Func<?> slot, Class<T> type, T callback) {
        Pointer code = runtime.getClosureManager().getClosurePointer(type, callback);
        Struct.getMemory(fuseOperations).putPointer(slot.offset(), code);
        held.add(callback);
        held.add(code);
    }

    int filesOpen() {
        return open.count();
    }

    long bytesRead() {
        return open.bytesRead();
    }

    /** Answers for something inside an image. */
    @FunctionalInterface
    private interface Inside {
        int answer(Place.Inside place) throws IOException;
    }

    private int inside(Pointer path, int atTop, Inside answer) {
        String name = NativeBytes.text(path);
        return guarded(new Shown(name), () -> switch (files.at(name)) {
            case Place.Top() -> atTop;
            case Place.Absent() -> -ErrorCodes.ENOENT();
            case Place.Inside place -> answer.answer(place);
        });
    }

    /** A path for people, decoded only when it is shown. */
    private record Shown(String path) {
        @Override
        public String toString() {
            return new String(path.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        }
    }

    private int attributes(Pointer path, Pointer structure) {
        int result = inside(path, 1, place -> {
            StatStructure.put(place, structure);
            return 0;
        });
        if (result == 1) {
            StatStructure.putTop(structure);
            return 0;
        }
        return result;
    }

    private int target(Pointer path, Pointer buffer, long size) {
        return inside(path, -ErrorCodes.EINVAL(), place -> {
            Optional<String> target = place.image().target(place.entry());
            if (target.isEmpty()) {
                return -ErrorCodes.EINVAL();
            }
            if (target.get().length() >= size) {
                return -ErrorCodes.ENAMETOOLONG();
            }
            NativeBytes.putText(buffer, target.get());
            return 0;
        });
    }

    private int list(Pointer path, Pointer buffer, Pointer fill, long offset, Pointer file) {
        return inside(path, 0, place -> {
            DirectoryFill entries = new DirectoryFill(runtime, buffer, fill);
            boolean room = entries.add(".", place.entry()) && entries.add("..", place.entry());
            for (ErofsView.Name name : place.image().names(place.entry())) {
                room = room && entries.add(name.text(), name.entry());
            }
            return room ? 0 : -ErrorCodes.ENOMEM();
        });
    }

    private int xattr(Pointer path, Pointer name, Pointer buffer, long size) {
        return inside(path, -ErrorCodes.ENODATA(), place -> {
            byte[] value = place.image().xattrs(place.entry()).get(NativeBytes.text(name));
            return value == null ? -ErrorCodes.ENODATA() : NativeBytes.putValue(buffer, size, value);
        });
    }

    private int xattrNames(Pointer path, Pointer buffer, long size) {
        return inside(path, 0, place -> {
            StringBuilder names = new StringBuilder();
            for (String name : place.image().xattrs(place.entry()).keySet()) {
                names.append(name).append('\0');
            }
            return NativeBytes.putValue(buffer, size, names.toString().getBytes(StandardCharsets.ISO_8859_1));
        });
    }

    private int open(Pointer path, Pointer info) {
        return inside(path, -ErrorCodes.EISDIR(), place -> {
            Optional<Digest> content = place.image().content(place.entry());
            long number = content.isEmpty() ? OpenObjects.EMPTY : open.add(files.open(content.get()));
            FuseFileInfo.of(info).fh.set(number);
            return 0;
        });
    }

    private int read(Pointer path, Pointer buffer, long size, long offset, Pointer info) {
        return guarded("a read", () -> open.read(number(info), buffer, size, offset));
    }

    private int release(Pointer path, Pointer info) {
        return guarded("a close", () -> {
            open.close(number(info));
            return 0;
        });
    }

    private static long number(Pointer info) {
        return FuseFileInfo.of(info).fh.get();
    }

    /** The image takes no space of its own; tools only want to know the longest name. */
    private int space(Pointer path, Pointer structure) {
        return guarded("a statfs", () -> {
            Statvfs space = Statvfs.of(structure);
            space.f_bsize.set(BLOCK);
            space.f_frsize.set(BLOCK);
            space.f_namemax.set(NAME_BYTES);
            return 0;
        });
    }
}
