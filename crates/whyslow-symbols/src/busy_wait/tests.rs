use super::*;

/// Looks at every instruction of `code` that begins at one of these places.
fn waiting(code: &[u8], places: &[usize]) -> Vec<bool> {
    places.iter().map(|&at| is_at(code, at)).collect()
}

#[test]
fn a_loop_that_only_looks_at_a_flag_waits() {
    // mov eax,[rip+x]; cmp eax,ebx; jne back; ret
    let plain = [0x8B, 0x05, 1, 2, 3, 0, 0x39, 0xD8, 0x75, 0xF6, 0xC3];
    assert_eq!(waiting(&plain, &[0, 6, 8, 10]), [true, true, true, false]);
    // L: pause; mov al,[rdi]; test al,al; je L
    let paused = [0xF3, 0x90, 0x8A, 0x07, 0x84, 0xC0, 0x74, 0xF8];
    assert!(is_at(&paused, 4));
    // jmp T; L: nop; T: movzx eax,[rip+x]; xor eax,1; test al,al; jne L (without optimization)
    let unoptimized = [
        0xEB, 1, 0x90, 0x0F, 0xB6, 5, 9, 0, 0, 0, 0x83, 0xF0, 1, 0x84, 0xC0, 0x75, 0xF1,
    ];
    assert!(is_at(&unoptimized, 3));
    assert!(is_at(&unoptimized, 2));
    // L: mov eax,[rip+x]; mov [rbp-4],eax; mov eax,[rbp-4]; test eax,eax; je L
    let stored = [
        0x8B, 5, 9, 0, 0, 0, 0x89, 0x45, 0xFC, 0x8B, 0x45, 0xFC, 0x85, 0xC0, 0x74, 0xF0,
    ];
    assert!(is_at(&stored, 9));
    // L: mov eax,1; xchg [rdi],eax; test eax,eax; jne L (a lock)
    let lock = [0xB8, 1, 0, 0, 0, 0x87, 0x07, 0x85, 0xC0, 0x75, 0xF5];
    assert!(is_at(&lock, 7));
    // L: mov rax,[rdi+8]; cmp dword [rax+4],0; je L: what it looks at is itself found by a pointer.
    let pointer = [0x48, 0x8B, 0x47, 8, 0x83, 0x78, 4, 0, 0x74, 0xF6];
    assert!(is_at(&pointer, 4));
}

#[test]
fn a_loop_that_makes_progress_does_not_wait() {
    // L: mov rax,[rax]; test rax,rax; jne L (the end of a list)
    let list = [0x48, 0x8B, 0x00, 0x48, 0x85, 0xC0, 0x75, 0xF8];
    // L: cmp byte [rdi],0; lea rdi,[rdi+1]; jne L (the end of a text)
    let text = [0x80, 0x3F, 0, 0x48, 0x8D, 0x7F, 1, 0x75, 0xF7];
    // L: add eax,[rdi]; dec ecx; jne L (a sum)
    let sum = [0x03, 0x07, 0xFF, 0xC9, 0x75, 0xFA];
    // L: add dword [rbp-4],1; cmp dword [rbp-4],9; jle L (a counter in memory)
    let counter = [0x83, 0x45, 0xFC, 1, 0x83, 0x7D, 0xFC, 9, 0x7E, 0xF6];
    // L: mov rax,[rbp-8]; mov rax,[rax]; mov [rbp-8],rax; cmp qword [rbp-8],0; jne L (a list in memory)
    let slot_list = [
        0x48, 0x8B, 0x45, 0xF8, 0x48, 0x8B, 0x00, 0x48, 0x89, 0x45, 0xF8, 0x48, 0x83, 0x7D, 0xF8,
        0, 0x75, 0xEE,
    ];
    // L: mov [rdi],eax; cmp [rsi],eax; jne L (stores elsewhere)
    let stores = [0x89, 0x07, 0x39, 0x06, 0x75, 0xFA];
    // L: pause; dec ecx; jne L (a pause of known length)
    let pauses = [0xF3, 0x90, 0xFF, 0xC9, 0x75, 0xFA];
    // L: jmp L
    let endless = [0xEB, 0xFE];
    // L: cmp [rdi],eax; je out; call f; jmp L
    let works = [0x39, 0x07, 0x74, 7, 0xE8, 0, 0, 0, 0, 0xEB, 0xF5];
    // L: mov eax,ecx; mov ecx,edx; mov edx,eax; cmp [rdi],edx; jne L (three values in turn)
    let turns = [0x89, 0xC8, 0x89, 0xD1, 0x89, 0xC2, 0x39, 0x17, 0x75, 0xF6];
    // L: mov r8,rdi; xor edx,edx; mov rdi,rdx; test rdx,rdx; je out; movzx edx,word [rdi+8]; cmp rsi,rdx; jb out;
    // mov rdx,[rdi]; test rdx,rdx; je L (up a tree: after L it always goes out)
    let tree = [
        0x49, 0x89, 0xF8, 0x31, 0xD2, 0x48, 0x89, 0xD7, 0x48, 0x85, 0xD2, 0x74, 0x11, 0x0F, 0xB7,
        0x57, 8, 0x48, 0x39, 0xD6, 0x72, 8, 0x48, 0x8B, 0x17, 0x48, 0x85, 0xD2, 0x74, 0xE2,
    ];
    // L: mov eax,[rdi]; cmp eax,2; je out; cmp eax,1; jg L; (never both)
    let excluded = [
        0x8B, 0x07, 0x83, 0xF8, 2, 0x74, 9, 0x83, 0xF8, 1, 0x7F, 0xF4,
    ];
    // L: cmp byte [rax],10; je out; cmp byte [rax],10; jne L (once more by a compiler that must not assume it is the same)
    let twice = [0x80, 0x38, 10, 0x74, 9, 0x80, 0x38, 10, 0x75, 0xF6];
    // L: mov eax,[rbx]; cmp eax,9; jge out; mov eax,[rbx]; add eax,1; xchg [rbx],eax; jmp L (a counter of all threads)
    let counts = [
        0x8B, 0x03, 0x83, 0xF8, 9, 0x7D, 9, 0x8B, 0x03, 0x83, 0xC0, 1, 0x87, 0x03, 0xEB, 0xF0,
    ];
    // L: mov eax,[rbp-12]; add eax,1; mov [rbp-16],rax; cmp [rdi],eax; jne L (what is stored overlaps what is read)
    let halves = [
        0x8B, 0x45, 0xF4, 0x83, 0xC0, 1, 0x48, 0x89, 0x45, 0xF0, 0x39, 0x07, 0x75, 0xF2,
    ];
    // L: mov qword [rbp-16],0; cmp dword [rbp-12],0; je L (it looks at its own store)
    let own = [
        0x48, 0xC7, 0x45, 0xF0, 0, 0, 0, 0, 0x83, 0x7D, 0xF4, 0, 0x74, 0xF2,
    ];
    let all: [&[u8]; 16] = [
        &own, &counts, &halves, &twice, &excluded, &list, &text, &sum, &counter, &slot_list,
        &stores, &pauses, &endless, &works, &turns, &tree,
    ];
    for (number, code) in all.iter().enumerate() {
        let places = (0..code.len()).filter(|&at| is_at(code, at));
        assert_eq!(places.collect::<Vec<_>>(), [0; 0], "loop {number}");
    }
}

#[test]
fn instructions_have_their_length_and_their_places() {
    const FLAGS: u32 = 1 << 16;
    // Bytes; registers read and written.
    let known: [(&[u8], u32, u32); 20] = [
        (&[0x90], 0, 0),
        (&[0xF3, 0x90], 0, 0),
        (&[0x0F, 0x1F, 0x84, 0, 0, 0, 0, 0], 0, 0),
        (&[0x66, 0x0F, 0x1F, 0x44, 0, 0], 0, 0),
        (&[0x8B, 0x05, 1, 2, 3, 4], 0, 1),
        (&[0x8B, 0x44, 0x88, 8], 0b11, 1),
        (&[0x4D, 0x8B, 0x65, 0], 1 << 13, 1 << 12),
        (&[0x41, 0x8B, 0x04, 0x24], 1 << 12, 1),
        (&[0x8B, 0x04, 0x25, 1, 2, 3, 4], 0, 1),
        (&[0x0F, 0xB6, 0x07], 1 << 7, 1),
        (&[0x48, 0x63, 0xD0], 1, 0b100),
        (&[0x66, 0x83, 0x38, 1], 1, FLAGS),
        (&[0x66, 0x81, 0x38, 1, 2], 1, FLAGS),
        (&[0x66, 0x48, 0x81, 0x38, 1, 2, 3, 4], 1, FLAGS),
        (&[0x48, 0x05, 1, 2, 3, 4], 1, 1 | FLAGS),
        (&[0x31, 0xC0], 0, 1 | FLAGS),
        (&[0x31, 0xC8], 0b11, 1 | FLAGS),
        (&[0x48, 0xB8, 1, 2, 3, 4, 5, 6, 7, 8], 0, 1),
        (&[0xF6, 0x03, 1], 0b1000, FLAGS),
        (&[0x0F, 0x94, 0xC1], FLAGS, 0b10),
    ];
    for (bytes, reads, writes) in known {
        let more = [bytes, &[0xCC; 4]].concat();
        let found = Instruction::decode(&more).expect("known");
        let all = (found.length, found.reads, found.writes);
        assert_eq!(all, (bytes.len(), reads, writes), "{bytes:x?}");
    }
    // movzx edx,ah; mov bh,1; adc; call; xabort; a store anywhere
    let unknown: [&[u8]; 6] = [
        &[0x0F, 0xB6, 0xD4],
        &[0xB7, 1],
        &[0x11, 0xC0],
        &[0xE8, 0, 0, 0, 0],
        &[0xC6, 0xF8, 1],
        &[0x89, 0x07],
    ];
    for bytes in unknown {
        assert_eq!(Instruction::decode(bytes), None, "{bytes:x?}");
    }
}

#[test]
fn any_bytes_are_looked_at() {
    // Among operations that are known, with jumps back: many turns are closed.
    const KNOWN: [&[u8]; 8] = [
        &[0x8B, 0x07],
        &[0x83, 0xF8, 1],
        &[0x39, 0x03],
        &[0x01, 0xC8],
        &[0x74, 0xF9],
        &[0x75, 0xF0],
        &[0xEB, 0xF4],
        &[0x8D, 0x3C, 0x18],
    ];
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 24
    };
    let mut code = Vec::new();
    while code.len() < 1 << 14 {
        match next() % 9 {
            8 => code.extend([next(), next()].map(|byte| byte as u8)),
            known => code.extend(KNOWN[known as usize]),
        }
    }
    let places = code.windows(64).enumerate();
    let waits = places.filter(|(at, window)| is_at(window, at % 70)).count();
    assert!(waits > 0);
    assert!(!is_at(&[], 0));
    assert!(!is_at(&[0x75], 0), "cut off");
}
