/* Verifies sample blocks of a disk image by their checksums, through io_uring: a request goes into the
   ring, and the answer is taken from the other one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096
#define ENTRIES 8

static int ring;
static unsigned *sq_tail, *sq_mask, *sq_array, *cq_head, *cq_tail, *cq_mask;
static struct io_uring_sqe *requests;
static struct io_uring_cqe *answers;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void open_ring(void)
{
    struct io_uring_params p;
    memset(&p, 0, sizeof p);
    ring = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
    if (ring < 0) {
        perror("io_uring_setup");
        exit(1);
    }
    size_t sq_size = p.sq_off.array + p.sq_entries * sizeof(unsigned);
    size_t cq_size = p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe);
    char *sq = mmap(NULL, sq_size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    char *cq = mmap(NULL, cq_size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
    requests = mmap(NULL, p.sq_entries * sizeof *requests, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
    sq_tail = (unsigned *)(sq + p.sq_off.tail);
    sq_mask = (unsigned *)(sq + p.sq_off.ring_mask);
    sq_array = (unsigned *)(sq + p.sq_off.array);
    cq_head = (unsigned *)(cq + p.cq_off.head);
    cq_tail = (unsigned *)(cq + p.cq_off.tail);
    cq_mask = (unsigned *)(cq + p.cq_off.ring_mask);
    answers = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
}

static int read_block(int image, off_t at, void *block)
{
    unsigned tail = *sq_tail, slot = tail & *sq_mask;
    struct io_uring_sqe *request = &requests[slot];
    memset(request, 0, sizeof *request);
    request->opcode = IORING_OP_READ;
    request->fd = image;
    request->addr = (unsigned long)block;
    request->len = BLOCK;
    request->off = (unsigned long)at;
    sq_array[slot] = slot;
    __atomic_store_n(sq_tail, tail + 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(cq_tail, __ATOMIC_ACQUIRE) == *cq_head) {
        unsigned submit = *sq_tail - tail;
        syscall(SYS_io_uring_enter, ring, submit, 1, IORING_ENTER_GETEVENTS, NULL, 0);
        tail = *sq_tail;
    }
    int result = answers[*cq_head & *cq_mask].res;
    __atomic_store_n(cq_head, *cq_head + 1, __ATOMIC_RELEASE);
    return result;
}

static unsigned checksum(const unsigned *words)
{
    unsigned a = 1, b = 0;
    for (int i = 0; i < BLOCK / 4; i++) {
        a += words[i];
        b ^= a << (i & 7);
    }
    return a ^ b;
}

int main(void)
{
    int image = open("image.raw", O_RDONLY | O_DIRECT);
    struct stat info;
    if (image < 0 || fstat(image, &info) != 0) {
        perror("image.raw");
        return 1;
    }
    void *block = aligned_alloc(BLOCK, BLOCK);
    open_ring();
    double start = now(), reading = 0;
    unsigned long random = 88172645463325252ul, blocks = 0;
    unsigned sum = 0;
    while (now() - start < 2.0) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        off_t at = (off_t)(random % (unsigned long)(info.st_size / BLOCK)) * BLOCK;
        double begin = now();
        if (read_block(image, at, block) != BLOCK)
            break;
        reading += now() - begin;
        sum ^= checksum(block);
        blocks++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\n", reading / (now() - start));
    fclose(truth);
    printf("%lu blocks, %08x\n", blocks, sum);
    return 0;
}
