// A FUSE file system without a library: a shelf of books, each of which has to be looked up in a card index (9 ms).
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BOOKS = 190 };
static int device;

static void reply(unsigned long unique, int error, const void *body, size_t size) {
    static char buffer[1 << 17];
    struct fuse_out_header head = {.len = sizeof head + size, .error = -error, .unique = unique};
    memcpy(buffer, &head, sizeof head);
    if (size) memcpy(buffer + sizeof head, body, size);
    if (write(device, buffer, head.len) < 0) perror("shelfd");
}

static struct fuse_attr attributes(unsigned long node) {
    struct fuse_attr attr = {.ino = node, .nlink = 1, .mode = node == 1 ? S_IFDIR | 0755 : S_IFREG | 0444};
    attr.size = node == 1 ? 0 : 1000 + node;
    return attr;
}

static void look_up(unsigned long unique, const char *name) {
    int book = 0;
    usleep(9000);
    if (sscanf(name, "book-%d.txt", &book) != 1 || book < 1 || book > BOOKS) return reply(unique, ENOENT, NULL, 0);
    struct fuse_entry_out out = {.nodeid = book + 1, .entry_valid = 60, .attr_valid = 60, .attr = attributes(book + 1)};
    reply(unique, 0, &out, sizeof out);
}

static void list(unsigned long unique, unsigned long from, size_t room) {
    static char page[1 << 16];
    size_t used = 0;
    for (unsigned long book = from + 1; book <= BOOKS; book++) {
        struct fuse_dirent entry = {.ino = book + 1, .off = book, .type = S_IFREG >> 12};
        char name[32];
        entry.namelen = sprintf(name, "book-%lu.txt", book);
        size_t size = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + entry.namelen);
        if (used + size > room || used + size > sizeof page) break;
        memcpy(page + used, &entry, FUSE_NAME_OFFSET);
        memcpy(page + used + FUSE_NAME_OFFSET, name, entry.namelen);
        used += size;
    }
    reply(unique, 0, page, used);
}

static void answer(struct fuse_in_header *in, char *body) {
    switch (in->opcode) {
    case FUSE_INIT: {
        struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_write = 4096};
        return reply(in->unique, 0, &out, sizeof out);
    }
    case FUSE_LOOKUP:
        return look_up(in->unique, body);
    case FUSE_GETATTR: {
        struct fuse_attr_out out = {.attr_valid = 60, .attr = attributes(in->nodeid)};
        return reply(in->unique, 0, &out, sizeof out);
    }
    case FUSE_OPENDIR: {
        struct fuse_open_out out = {0};
        return reply(in->unique, 0, &out, sizeof out);
    }
    case FUSE_READDIR: {
        struct fuse_read_in *read_in = (void *)body;
        return list(in->unique, read_in->offset, read_in->size);
    }
    case FUSE_RELEASEDIR:
        return reply(in->unique, 0, NULL, 0);
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
        return;
    default:
        reply(in->unique, ENOSYS, NULL, 0);
    }
}

int main(void) {
    char options[80];
    static char request[1 << 17];
    prctl(PR_SET_NAME, "shelfd");
    device = open("/dev/fuse", O_RDWR);
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
    mkdir("shelf", 0755);
    if (device < 0 || mount("shelfd", "shelf", "fuse.shelfd", 0, options)) return perror("shelfd"), 1;
    close(open("ready", O_WRONLY | O_CREAT, 0644));
    while (read(device, request, sizeof request) > 0) answer((void *)request, request + sizeof(struct fuse_in_header));
}
