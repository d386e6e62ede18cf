# The posters of a festival. The old renderer could only run once at a time.
posters := stage.txt food.txt camping.txt parking.txt children.txt lost.txt toilets.txt exit.txt

all: $(posters)

%.txt:
	flock render.lock $(CASE_BIN)/render $* > $@
