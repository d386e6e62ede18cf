// A program with a window: it draws a frame every 16 ms. When its user opens a dialog, it asks the settings service
// through a Unix socket and waits for the answer, in the same thread.
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static volatile unsigned pixel;

static void draw_frame(void) {
    for (unsigned n = 0; n < 200000; n++) pixel = pixel * 31 + n;
}

static void ask_setting(int service, const char *name) {
    char answer[100];
    send(service, name, strlen(name), MSG_NOSIGNAL);
    recv(service, answer, sizeof answer, 0);
}

static void open_dialog(int service) {
    ask_setting(service, "printers");
}

int main(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "settings.sock"};
    struct pollfd input = {.events = POLLIN};
    int service = socket(AF_UNIX, SOCK_STREAM, 0), frames = 0, pipe_ends[2], dialogs = 0;
    if (connect(service, (void *)&address, sizeof address) || pipe(pipe_ends)) return perror("settings"), 1;
    input.fd = pipe_ends[0];
    double start = now(), hung = 0, longest = 0;
    for (; now() - start < 2.2; frames++) {
        draw_frame();
        poll(&input, 1, 16);
        if (frames % 4 != 3) continue;
        double before = now();
        open_dialog(service);
        hung += now() - before;
        dialogs++;
        if (now() - before > longest) longest = now() - before;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nframes %d\n", hung / (now() - start), frames);
    fprintf(truth, "dialogs %d\nlongest %.3f\n", dialogs, longest);
    fclose(truth);
}
