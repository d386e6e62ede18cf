objects := $(patsubst src/%.cpp,%.o,$(wildcard src/unit*.cpp))
check: dice-test
	./dice-test
dice-test: src/test.cpp libdice.a
	$(CXX) -O1 -o $@ $^
libdice.a: $(objects)
	ar rcs $@ $^
%.o: src/%.cpp
	$(CXX) -O2 -c -o $@ $<
