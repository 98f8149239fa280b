// A pull reduced to its bytes: receives one bundle (docs/formats/bundle.md) over one connection; two threads
// decompress, hash and write its objects. No FUSE, no plan, no store, no virtual machine.
//
// usage: mover HOST PORT TOKEN-FILE REQUEST-FILE DIRECTORY LOCK STATUS COMMAND ARG...
// Becomes COMMAND at once; a child continues to move, holds LOCK as long and writes "ok" or the failure to STATUS.
#include <arpa/inet.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { THREADS = 2, HEAD = 64, OBJECT = 3, END = 5, PIECE = 256 << 10, WAITING = 64 << 20 };

struct object {
  struct object *next;
  unsigned char digest[32];
  uint64_t raw, stored;
  char *data;
};

static const char *directory, *status_file;
static struct object *first, **last = &first;
static uint64_t waiting;
static int received_all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;

static void end(const char *what) {
  FILE *out = fopen(status_file, "w");
  if (out) {
    fprintf(out, "%s\n", what);
    fclose(out);
  }
  _exit(strcmp(what, "ok") != 0);
}

static uint64_t number(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  while (count-- > 0) value = value << 8 | bytes[count];
  return value;
}

static struct object *next_object(void) {
  pthread_mutex_lock(&lock);
  while (!first && !received_all) pthread_cond_wait(&more, &lock);
  struct object *object = first;
  if (object) first = object->next;
  if (!first) last = &first;
  pthread_mutex_unlock(&lock);
  return object;
}

static void store(struct object *object, ZSTD_DCtx *zstd, EVP_MD_CTX *hash, char *piece) {
  char path[4096], hex[65];
  for (int i = 0; i < 32; i++) sprintf(hex + 2 * i, "%02x", object->digest[i]);
  snprintf(path, sizeof path, "%s/%.2s/%s", directory, hex, hex + 2);
  int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file < 0) end("an object came twice, or its file cannot be made");
  ZSTD_DCtx_reset(zstd, ZSTD_reset_session_only);
  EVP_DigestInit_ex(hash, EVP_sha256(), NULL);
  ZSTD_inBuffer in = {object->data, object->stored, 0};
  for (uint64_t done = 0; done < object->raw;) {
    ZSTD_outBuffer out = {piece, PIECE, 0};
    if (ZSTD_isError(ZSTD_decompressStream(zstd, &out, &in)) || !out.pos) end("an object is damaged");
    EVP_DigestUpdate(hash, piece, out.pos);
    if (write(file, piece, out.pos) != (ssize_t)out.pos) end("cannot write");
    done += out.pos;
  }
  unsigned char digest[EVP_MAX_MD_SIZE];
  EVP_DigestFinal_ex(hash, digest, NULL);
  if (memcmp(digest, object->digest, 32)) end("an object is damaged");
  close(file);
}

static void *work(void *unused) {
  ZSTD_DCtx *zstd = ZSTD_createDCtx();
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  char *piece = malloc(PIECE);
  for (struct object *object = next_object(); object; object = next_object()) {
    store(object, zstd, hash, piece);
    pthread_mutex_lock(&lock);
    waiting -= object->stored;
    pthread_cond_signal(&room);
    pthread_mutex_unlock(&lock);
    free(object->data);
    free(object);
  }
  return unused;
}

static int server;
static char buffer[PIECE];
static size_t at, filled;

static size_t receive(char *to, size_t size) {
  ssize_t count = read(server, to, size);
  if (count <= 0) end("the connection was cut");
  return count;
}

static void get(char *to, size_t size) {
  while (size > 0) {
    if (at == filled && size >= sizeof buffer) {
      size_t count = receive(to, size);
      to += count;
      size -= count;
      continue;
    }
    if (at == filled) {
      filled = receive(buffer, sizeof buffer);
      at = 0;
    }
    size_t count = filled - at < size ? filled - at : size;
    memcpy(to, buffer + at, count);
    at += count;
    to += count;
    size -= count;
  }
}

static char *content(const char *path) {
  static char text[2][8192];
  static int used;
  FILE *in = fopen(path, "r");
  if (!in) end("a file is missing");
  size_t count = fread(text[used], 1, sizeof text[used] - 1, in);
  fclose(in);
  while (count > 0 && text[used][count - 1] == '\n') count--;
  text[used][count] = 0;
  return text[used++];
}

static void ask(char **argv) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2]))};
  inet_pton(AF_INET, argv[1], &address.sin_addr);
  server = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(server, (struct sockaddr *)&address, sizeof address)) end("cannot connect");
  const char *token = content(argv[3]), *request = content(argv[4]);
  dprintf(server,
          "POST /v1/bundles HTTP/1.1\r\nHost: %s:%s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"
          "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
          argv[1], argv[2], token, strlen(request), request);
  char line[4096];
  for (int count = 0;; count++) {
    size_t length = 0;
    do get(line + length++, 1);
    while (line[length - 1] != '\n' && length < sizeof line - 1);
    line[length] = 0;
    if (count == 0 && !strstr(line, " 200")) end(line);
    if (length <= 2) return;
  }
}

static void move(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, NULL);
  unsigned char head[HEAD];
  get((char *)head, 12);
  while (get((char *)head, HEAD), number(head, 4) != END) {
    struct object *object = calloc(1, sizeof *object);
    object->raw = number(head + 4, 8);
    object->stored = number(head + 12, 8);
    memcpy(object->digest, head + 28, 32);
    object->data = malloc(object->stored);
    get(object->data, object->stored);
    if (number(head, 4) != OBJECT) {
      free(object->data);
      free(object);
      continue;
    }
    pthread_mutex_lock(&lock);
    while (waiting > WAITING) pthread_cond_wait(&room, &lock);
    waiting += object->stored;
    *last = object;
    last = &object->next;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  received_all = 1;
  pthread_cond_broadcast(&more);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
  if (argc < 9) return 2;
  directory = argv[5];
  status_file = argv[7];
  int held = open(argv[6], O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (held < 0 || flock(held, LOCK_EX)) return 1;
  if (fork()) {
    execvp(argv[8], argv + 8);
    return 127;
  }
  setsid();
  mkdir(directory, 0700);
  for (int i = 0; i < 256; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%02x", directory, i);
    mkdir(path, 0700);
  }
  for (int i = 0; i < 3; i++) dup2(open("/dev/null", O_RDWR), i);
  ask(argv);
  move();
  end("ok");
}
