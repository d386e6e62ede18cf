/* Prints the offsets that make one row of ../layouts.rs; see ./generate. */
#define Py_BUILD_CORE 1
#include <Python.h>
#include <stddef.h>
#include <stdio.h>
#if PY_VERSION_HEX >= 0x030b0000
#include <internal/pycore_frame.h>
#include <internal/pycore_code.h>
#else
#include <frameobject.h>
#endif
#if PY_VERSION_HEX >= 0x03090000
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>
#else
#include <internal/pycore_pystate.h>
#endif

#define ROW(name, offset) printf("        " name ": %u,\n", (unsigned)(offset))

#define WITHIN(name, of, offset)                                                                   \
	printf("        " name ": Within::" of "(%u),\n", (unsigned)(offset))

int main(void)
{
	printf("    // Headers of %s.\n    Layout {\n", PY_VERSION);
	printf("        minor: %d,\n", PY_MINOR_VERSION);
	ROW("interpreters", offsetof(_PyRuntimeState, interpreters.head));
#if PY_VERSION_HEX >= 0x030b0000
	ROW("interpreter_threads", offsetof(PyInterpreterState, threads.head));
#else
	ROW("interpreter_threads", offsetof(PyInterpreterState, tstate_head));
#endif
	ROW("interpreter_next", offsetof(PyInterpreterState, next));
	ROW("thread_next", offsetof(PyThreadState, next));
	ROW("thread_interpreter", offsetof(PyThreadState, interp));
	ROW("thread_id", offsetof(PyThreadState, thread_id));
#if PY_VERSION_HEX >= 0x030d0000
	ROW("thread_frame", offsetof(PyThreadState, current_frame));
#elif PY_VERSION_HEX >= 0x030b0000
	ROW("thread_frame", offsetof(PyThreadState, cframe));
#else
	ROW("thread_frame", offsetof(PyThreadState, frame));
#endif
#if PY_VERSION_HEX >= 0x030b0000 && PY_VERSION_HEX < 0x030d0000
	printf("        c_frame: Some(%u),\n", (unsigned)offsetof(_PyCFrame, current_frame));
#else
	printf("        c_frame: None,\n");
#endif
	printf("        thread_base: None,\n");
#if PY_VERSION_HEX >= 0x030c0000
	WITHIN("gil", "Interpreter", offsetof(PyInterpreterState, ceval.gil));
#else
	WITHIN("gil", "Runtime", offsetof(_PyRuntimeState, ceval.gil));
#endif
#if PY_VERSION_HEX >= 0x03090000
	WITHIN("collecting", "Interpreter", offsetof(PyInterpreterState, gc.collecting));
#else
	WITHIN("collecting", "Runtime", offsetof(_PyRuntimeState, gc.collecting));
#endif
#if PY_VERSION_HEX >= 0x030c0000
	printf("        runs: Runs::AfterForeign,\n");
#elif PY_VERSION_HEX >= 0x030b0000
	printf("        runs: Runs::ByEntry,\n");
#else
	printf("        runs: Runs::OfOne,\n");
#endif
#if PY_VERSION_HEX >= 0x030d0000
	ROW("frame_code", offsetof(_PyInterpreterFrame, f_executable));
	ROW("frame_previous", offsetof(_PyInterpreterFrame, previous));
	ROW("frame_place", offsetof(_PyInterpreterFrame, instr_ptr));
	ROW("frame_kind", offsetof(_PyInterpreterFrame, owner));
#elif PY_VERSION_HEX >= 0x030b0000
	ROW("frame_code", offsetof(_PyInterpreterFrame, f_code));
	ROW("frame_previous", offsetof(_PyInterpreterFrame, previous));
	ROW("frame_place", offsetof(_PyInterpreterFrame, prev_instr));
#if PY_VERSION_HEX >= 0x030c0000
	ROW("frame_kind", offsetof(_PyInterpreterFrame, owner));
#else
	ROW("frame_kind", offsetof(_PyInterpreterFrame, is_entry));
#endif
#else
	ROW("frame_code", offsetof(PyFrameObject, f_code));
	ROW("frame_previous", offsetof(PyFrameObject, f_back));
	ROW("frame_place", offsetof(PyFrameObject, f_lasti));
	ROW("frame_kind", 0);
#endif
	ROW("code_file", offsetof(PyCodeObject, co_filename));
#if PY_VERSION_HEX >= 0x030b0000
	ROW("code_name", offsetof(PyCodeObject, co_qualname));
#else
	ROW("code_name", offsetof(PyCodeObject, co_name));
#endif
	ROW("code_first_line", offsetof(PyCodeObject, co_firstlineno));
#if PY_VERSION_HEX >= 0x030a0000
	ROW("code_lines", offsetof(PyCodeObject, co_linetable));
#else
	ROW("code_lines", offsetof(PyCodeObject, co_lnotab));
#endif
#if PY_VERSION_HEX >= 0x030b0000
	ROW("code_instructions", offsetof(PyCodeObject, co_code_adaptive));
#else
	ROW("code_instructions", 0);
#endif
	ROW("object_type", offsetof(PyObject, ob_type));
	ROW("text_length", offsetof(PyASCIIObject, length));
	ROW("text_state", offsetof(PyASCIIObject, state));
	ROW("text_ascii", sizeof(PyASCIIObject));
	ROW("text_other", sizeof(PyCompactUnicodeObject));
	ROW("bytes_size", offsetof(PyBytesObject, ob_base.ob_size));
	ROW("bytes_data", offsetof(PyBytesObject, ob_sval));
	printf("    },\n");
	return 0;
}
