// Enrols the visitors of a harbour: each gets a signed pass, which the gate can check.
package main

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

type Pass struct {
	Visitor string    `json:"visitor"`
	Gates   []int     `json:"gates"`
	Until   time.Time `json:"until"`
	Key     string    `json:"key"`
	Sign    string    `json:"sign"`
}

type Desk struct {
	issued []Pass
	gates  map[int]int
}

func newSigner() (*rsa.PrivateKey, error) {
	return rsa.GenerateKey(rand.Reader, 2048)
}

func (d *Desk) issue(visitor string, gates []int) error {
	signer, err := newSigner()
	if err != nil {
		return err
	}
	p := Pass{Visitor: visitor, Gates: gates, Until: time.Now().Add(8 * time.Hour)}
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	sign, err := rsa.SignPKCS1v15(rand.Reader, signer, crypto.SHA256, sum[:])
	if err != nil {
		return err
	}
	p.Key = base64.StdEncoding.EncodeToString(x509.MarshalPKCS1PublicKey(&signer.PublicKey))
	p.Sign = base64.StdEncoding.EncodeToString(sign)
	d.issued = append(d.issued, p)
	for _, g := range gates {
		d.gates[g]++
	}
	return nil
}

func main() {
	desk := &Desk{gates: map[int]int{}}
	start := time.Now()
	for i := 0; time.Since(start) < 2*time.Second; i++ {
		if err := desk.issue(fmt.Sprintf("visitor-%04d", i), []int{i % 3, 3 + i%5}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	text, _ := json.MarshalIndent(desk.issued, "", " ")
	if err := os.WriteFile("passes.json", text, 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(len(desk.issued), "passes", desk.gates)
}
