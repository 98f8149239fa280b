package io.faasimage.registry.child;

import io.faasimage.refactor.fault.RefactorException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The child's end of its pipe. One request at a time is answered; when the service is gone, the process ends at once.
 * Thread-safe.
 */
final class ServiceLink {
    private final ChildPipe pipe;
    private final BlockingQueue<ChildAnswer> answers = new ArrayBlockingQueue<>(1);

    ServiceLink(ChildPipe pipe) {
        this.pipe = pipe;
        Thread.ofPlatform().daemon().name("service").start(this::receive);
    }

    private void receive() {
        try {
            while (true) {
                Optional<ChildAnswer> answer = pipe.receive(ChildAnswer.class);
                if (answer.isEmpty()) {
                    break;
                }
                answers.put(answer.get());
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("the service cannot be understood: " + e);
        }
        Runtime.getRuntime().halt(ChildProgram.SERVICE_GONE);
    }

    /** The next order; waits for it. */
    ChildOrder order() throws IOException {
        if (next() instanceof ChildAnswer.Ordered(var order)) {
            return order;
        }
        throw new IOException("the service answers where an order should come");
    }

    /** A message without an answer. */
    synchronized void tell(ChildRequest message) throws IOException {
        pipe.send(ChildRequest.class, message);
    }

    /** The answer to a request. */
    synchronized <A extends ChildAnswer> A ask(ChildRequest request, Class<A> type) throws IOException {
        pipe.send(ChildRequest.class, request);
        return type.cast(next());
    }

    /** Writes the bytes that answer a request; the flag behind them. */
    synchronized boolean copy(ChildRequest request, OutputStream out) throws IOException {
        pipe.send(ChildRequest.class, request);
        IOException failure = null;
        while (true) {
            switch (next()) {
                case ChildAnswer.Bytes(byte[] bytes) -> {
                    try {
                        out.write(bytes);
                    } catch (IOException e) {
                        // The rest of the answer has to be received before another one can be.
                        failure = failure == null ? e : failure;
                    }
                }
                case ChildAnswer.Flag(boolean value) -> {
                    if (failure != null) {
                        throw failure;
                    }
                    return value;
                }
                case ChildAnswer.Bits _,
                        ChildAnswer.Value _,
                        ChildAnswer.Opened _,
                        ChildAnswer.ProfileFound _,
                        ChildAnswer.Refused _,
                        ChildAnswer.Ordered _ ->
                    throw new IOException("the service answers something else to " + request);
            }
        }
    }

    /** An interrupt is deferred: a request without a waiting caller would leave its answer to the next one. */
    private ChildAnswer next() throws RefactorException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    ChildAnswer answer = answers.take();
                    if (answer instanceof ChildAnswer.Refused(var kind, var message)) {
                        throw new RefactorException(kind, message);
                    }
                    return answer;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
