/* Prints the offsets that make one row of ../awaits.rs; see ./generate. */
#define Py_BUILD_CORE 1
#include <Python.h>
#include <stddef.h>
#include <stdio.h>
#if PY_VERSION_HEX >= 0x030b0000
#include <internal/pycore_frame.h>
#include <internal/pycore_genobject.h>
#if PY_VERSION_HEX >= 0x030e0000
#include <internal/pycore_interpframe_structs.h>
#endif
#define FRAME _PyInterpreterFrame
#define LOCALS localsplus
#define OF_COROUTINE offsetof(PyGenObject, gi_iframe)
#define IS_INSIDE "true"
#else
#include <frameobject.h>
#define FRAME PyFrameObject
#define LOCALS f_localsplus
#define OF_COROUTINE offsetof(PyGenObject, gi_frame)
#define IS_INSIDE "false"
#endif

#if PY_VERSION_HEX >= 0x030e0000
#define TOP "Address"
#define TOP_AT stackpointer
#elif PY_VERSION_HEX >= 0x030b0000
#define TOP "OfLocals"
#define TOP_AT stacktop
#elif PY_VERSION_HEX >= 0x030a0000
/* The values are where the word at FRAME_VALUES of the eBPF programs leads to. */
_Static_assert(offsetof(PyFrameObject, f_valuestack) == 64, "values");
#define TOP "OfValues"
#define TOP_AT f_stackdepth
#else
#define TOP "Address"
#define TOP_AT f_stacktop
#endif

int main(void)
{
	printf("    (%d, row(%zu, %s, %zu, Top::%s(%zu))),\n", PY_MINOR_VERSION, OF_COROUTINE, IS_INSIDE,
	       offsetof(FRAME, LOCALS), TOP, offsetof(FRAME, TOP_AT));
	return 0;
}
