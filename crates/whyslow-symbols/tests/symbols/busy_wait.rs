//! Loops of real compilers that wait for memory to change.

use crate::compiled::{compile, functions, local, text_bias};
use crate::support::{Scratch, symbolize};
use whyslow_symbols::ModuleRef;
use whyslow_testenv::{Feature, has};

const SPIN_PROGRAM: &str = r#"
#include <stdatomic.h>
atomic_int ready;
__attribute__((noinline)) void wait_for_it(void) {
    while (!atomic_load(&ready)) {}
}
__attribute__((noinline)) unsigned add_up(unsigned n) {
    unsigned sum = 0;
    while (n) { sum = sum * 31 + n--; __asm__ volatile("" : "+r"(sum)); }
    return sum;
}
int main(int argc, char **argv) {
    ready = argc;
    wait_for_it();
    return add_up(argc);
}
"#;

#[test]
fn a_loop_that_waits_for_memory_is_told_from_one_that_computes() {
    if !has(Feature::Cc) || !cfg!(target_arch = "x86_64") {
        return;
    }
    for level in ["-O0", "-O2"] {
        let scratch = Scratch::new("spin");
        let program = compile(&scratch, "cc", SPIN_PROGRAM, &[level]).expect("a compiler");
        let bias = text_bias(&program).expect("readelf");
        let all = functions(&program).expect("nm");
        let waits = |name: &str| {
            let found = all.iter().find(|function| function.2 == name);
            let (start, size, _) = found.expect("nm knows the function");
            let offsets: Vec<u64> = (0..*size).map(|at| start + at - bias).collect();
            let (answers, _) = symbolize(&local(), &ModuleRef::elf(&program, None), &offsets);
            let mut frames = answers.into_iter().map(|answer| answer.expect("a name"));
            frames.any(|frames| {
                let names: Vec<&str> = frames.iter().map(|frame| &*frame.function).collect();
                names == ["[busy wait]", name] && frames[0].inlined
            })
        };
        assert!(waits("wait_for_it"), "{level}");
        assert!(!waits("add_up"), "{level}");
        assert!(!waits("main"), "{level}");
    }
}
