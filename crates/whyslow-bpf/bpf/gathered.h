/* Finds the task that an event loop of Python waits for where a task awaits several others. Part of python.bpf.c.
 *
 * A task that awaits several others waits for a future, and does not itself refer to them:
 *
 *   asyncio.gather     keeps their list in an attribute of that future
 *   TaskGroup          keeps them in a set; it is the first local variable of the coroutine that waits
 *   asyncio.wait       has a set of them as its first local variable
 *   asyncio.wait_for   has its one task there
 *
 * The search goes on with the first of these tasks that itself waits for something; a finished one waits for nothing.
 *
 * A step of the search examines one word (a reference) and is one round of the loop over coroutines. So there is no
 * nested loop that the verifier would have to unroll. Offsets are bytes, as in the headers of CPython 3.8 to 3.15. */

enum containers {
	/* PyDictObject: ma_keys and ma_values. */
	DICT_KEYS = 32,
	DICT_VALUES = 40,
	/* PyDictKeysObject: the end of its header, which the index and the entries follow, and how many words of
	 * them are examined. */
	KEYS_ENTRIES = 32,
	KEYS_WORDS = 16,
	/* PyListObject: ob_size and ob_item. */
	LIST_COUNT = 16,
	LIST_ITEMS = 24,
	/* PySetObject: mask (slots less one), table, and the size of a slot. */
	SET_MASK = 32,
	SET_ENTRIES = 40,
	SET_ENTRY_BYTES = 16,
	/* Where an instance keeps its attributes. Up to 3.11 a pointer to them is this far before the instance; in
	 * 3.12 the pointer less one; from 3.13 on they are in the instance itself, at this offset. Then: how many
	 * are examined. */
	ATTRIBUTES_3_11 = 32,
	ATTRIBUTES_3_12 = 24,
	ATTRIBUTES_3_13 = 16,
	ATTRIBUTES = 10,
	MOST_GATHERED = 64,
	/* A future refers to the dictionary of its attributes; from 3.13 on from a word before it. These words are
	 * examined. */
	BEFORE_FUTURE = 24,
	FUTURE_WORDS = 25,
};

/* What the examined words are: nothing (no search), members of a future, attributes, a local variable, or the items
 * of a container. */
enum looked_at { NOTHING, OF_FUTURE, ATTRIBUTES_OF, OF_LOCAL, ITEMS };

/* Examines `count` words from `at` on, which are `bytes` apart. */
INLINE void look_at(struct walk *walk, u32 what, u64 at, u32 count, u32 bytes)
{
	walk->looks_at = what;
	walk->look = at;
	walk->looks_left = at ? count : 0;
	walk->look_bytes = bytes;
}

/* Begins to search for the tasks that a future stands for. */
INLINE void begin_search(struct walk *walk, u64 future)
{
	walk->looks_next = 0;
	look_at(walk, OF_FUTURE, future - BEFORE_FUTURE, FUTURE_WORDS, 8);
}

/* Goes on to the next place where tasks may be; returns 1 if there is none. */
SHARED long search_elsewhere(struct tools *tools)
{
	struct walk *walk = &tools->scratch->walk;
	u32 next = walk->looks_next++;
	if (walk->looks_at == ITEMS && walk->kept_left) {
		walk->looks_next = next;
		look_at(walk, ATTRIBUTES_OF, walk->kept, walk->kept_left, 8);
		walk->kept_left = 0;
		return 0;
	}
	if (!walk->locals) return 1;
	u64 local = read_word(walk->locals) & ~REFERENCE_BITS;
	if (!local || next > 3) return 1;
	if (next == 0) look_at(walk, OF_LOCAL, walk->locals, 1, 8);
	if (next == 1) look_at(walk, ATTRIBUTES_OF, read_word(local - ATTRIBUTES_3_11), ATTRIBUTES, 8);
	if (next == 2) look_at(walk, ATTRIBUTES_OF, read_word(local - ATTRIBUTES_3_12) + 1, ATTRIBUTES, 8);
	if (next == 3) look_at(walk, ATTRIBUTES_OF, local + ATTRIBUTES_3_13, ATTRIBUTES, 8);
	return 0;
}

/* Examines the next word; returns 1 if there is none left. */
SHARED long search_step(struct tools *tools)
{
	struct walk *walk = &tools->scratch->walk;
	struct process *process = tools->process;
	if (!walk->looks_left) return search_elsewhere(tools);
	u64 object = read_word(walk->look) & ~REFERENCE_BITS;
	walk->look += walk->look_bytes;
	walk->looks_left--;
	u64 type = type_of(tools, object);
	if (!type) return 0;
	u32 what = walk->looks_at;
	if (what == OF_FUTURE) {
		if (type != process->dict_type) return 0;
		u64 values = read_word(object + DICT_VALUES);
		if (!values) values = read_word(object + DICT_KEYS) + KEYS_ENTRIES;
		look_at(walk, ATTRIBUTES_OF, values, KEYS_WORDS, 8);
		return 0;
	}
	if (type == walk->task_type && what != ATTRIBUTES_OF) {
		if (!enter_task(tools, object, type) && walk->waiter) walk->looks_at = NOTHING;
		return 0;
	}
	if (what == ITEMS || (type != process->list_type && type != process->set_type)) return 0;
	/* If none of these items is the task, the search returns to the words after the container. */
	walk->kept = walk->look;
	walk->kept_left = walk->looks_left;
	bool is_set = type == process->set_type;
	u64 items = read_word(object + (is_set ? SET_ENTRIES : LIST_ITEMS));
	u32 count = is_set ? (u32)read_word(object + SET_MASK) + 1 : (u32)read_word(object + LIST_COUNT);
	if (count > MOST_GATHERED) count = MOST_GATHERED;
	look_at(walk, ITEMS, items, count, is_set ? SET_ENTRY_BYTES : 8);
	return 0;
}
