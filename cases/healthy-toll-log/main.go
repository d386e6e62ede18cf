// Verifies the log of a toll station: each passage carries the signature of the gate's device.
package main

import (
	"bufio"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

const passageSize = 96

func device() ed25519.PrivateKey {
	seed := make([]byte, ed25519.SeedSize)
	copy(seed, "gate 7, motorway 12")
	return ed25519.NewKeyFromSeed(seed)
}

func writeLog(path string, passages int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	key := device()
	passage := make([]byte, passageSize)
	for n := 0; n < passages; n++ {
		binary.LittleEndian.PutUint64(passage, uint64(n)*7919)
		out.Write(passage)
		out.Write(ed25519.Sign(key, passage))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func verify(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<16)
	key := device().Public().(ed25519.PublicKey)
	record := make([]byte, passageSize+ed25519.SignatureSize)
	for passages := 0; ; passages++ {
		if _, err := io.ReadFull(in, record); err == io.EOF {
			return passages, nil
		} else if err != nil {
			return passages, err
		}
		if !ed25519.Verify(key, record[:passageSize], record[passageSize:]) {
			return passages, fmt.Errorf("passage %d is forged", passages)
		}
	}
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "write" {
		if err := writeLog(os.Args[2], 28_000); err != nil {
			panic(err)
		}
		return
	}
	passages, err := verify("toll.log")
	if err != nil {
		panic(err)
	}
	fmt.Println(passages, "passages are genuine")
}
