// Prints the row of `LAYOUTS` in ../layouts.rs that fits a Go program, from its debug information.
package main

import (
	"debug/buildinfo"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"os"
	"strings"
)

func structure(data *dwarf.Data, name string) *dwarf.StructType {
	reader := data.Reader()
	for entry, err := reader.Next(); entry != nil; entry, err = reader.Next() {
		if err != nil {
			panic(err)
		}
		if entry.Tag == dwarf.TagStructType && entry.Val(dwarf.AttrName) == name {
			found, err := data.Type(entry.Offset)
			if err != nil {
				panic(err)
			}
			return found.(*dwarf.StructType)
		}
		if entry.Tag == dwarf.TagSubprogram {
			reader.SkipChildren()
		}
	}
	panic(name)
}

func offset(of *dwarf.StructType, name string) int64 {
	for _, field := range of.Field {
		if field.Name == name {
			return field.ByteOffset
		}
	}
	panic(name)
}

func main() {
	info, err := buildinfo.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	file, err := elf.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	data, err := file.DWARF()
	if err != nil {
		panic(err)
	}
	g, gobuf := structure(data, "runtime.g"), structure(data, "runtime.gobuf")
	sched := offset(g, "sched")
	row := []int64{
		g.ByteSize, offset(g, "stack"), sched + offset(gobuf, "sp"), sched + offset(gobuf, "pc"),
		sched + offset(gobuf, "g"), sched + offset(gobuf, "bp"), offset(g, "atomicstatus"),
		offset(g, "goid"), offset(g, "trackingSeq"),
	}
	minor := strings.Split(strings.Split(info.GoVersion, ".")[1], "rc")[0]
	fmt.Printf("    layout(%s, %v),\n", minor, strings.ReplaceAll(fmt.Sprint(row), " ", ", "))
}
