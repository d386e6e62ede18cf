#!/bin/sh
# Finds out what this system has, and writes config.h.
: > config.h
: > config.log
checks=0
end=$(($(date +%s) + 3))

try_compile() {
    checks=$((checks + 1))
    ${CC:-cc} -o conftest conftest.c >> config.log 2>&1
}

define() {
    echo "#define HAVE_$(echo "$1" | tr 'a-z/.' 'A-Z__') 1" >> config.h
}

check_header() {
    printf '#include <%s>\nint main(void) { return 0; }\n' "$1" > conftest.c
    if try_compile; then define "$1"; echo "checking for $1... yes"; else echo "checking for $1... no"; fi
}

check_function() {
    printf 'char %s(void);\nint main(void) { return %s(); }\n' "$1" "$1" > conftest.c
    if try_compile; then define "$1"; echo "checking for $1... yes"; else echo "checking for $1... no"; fi
}

for h in stdio.h stdlib.h string.h strings.h unistd.h stdint.h inttypes.h sys/time.h sys/select.h sys/epoll.h sys/event.h \
    sys/socket.h netinet/in.h arpa/inet.h netdb.h poll.h pthread.h semaphore.h termios.h pwd.h grp.h dirent.h fcntl.h \
    sys/mman.h sys/inotify.h malloc.h alloca.h ieeefp.h math.h float.h; do
    [ "$(date +%s)" -lt $end ] || break
    check_header $h
done
for f in select poll epoll_create kqueue strlcpy strlcat getline getdelim mmap munmap mremap posix_fadvise madvise clock_gettime \
    gettimeofday nanosleep usleep setproctitle getrandom arc4random explicit_bzero memmem memrchr strndup vasprintf fork vfork; do
    [ "$(date +%s)" -lt $end ] || break
    check_function $f
done
rm -f conftest conftest.c
echo "$checks checks"
