parts := $(patsubst %.c,%.o,$(wildcard part*.c))

machine.a: $(parts)
	ar rcs $@ $^

%.o: %.c
	cc -O2 -c -o $@ $<
