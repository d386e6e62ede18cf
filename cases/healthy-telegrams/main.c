/* Prints the news of a market: a telegram of 24 bytes each, as soon as it comes. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define TELEGRAMS 10000
#define BYTES 24

__attribute__((noinline)) static int read_telegram(int line, char *telegram)
{
	return recv(line, telegram, BYTES, MSG_WAITALL) == BYTES;
}

int main(void)
{
	int port = 0;
	FILE *file = fopen("port", "r");
	if (!file || fscanf(file, "%d", &port) != 1) return 1;
	fclose(file);
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int line = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(line, (void *)&to, sizeof(to))) return 1;
	char telegram[BYTES];
	int ups = 0;
	for (int i = 0; i < TELEGRAMS; i++) {
		if (!read_telegram(line, telegram)) return 1;
		ups += !memcmp(telegram + 11, "UP", 2);
	}
	printf("%d up\n", ups);
	return 0;
}
