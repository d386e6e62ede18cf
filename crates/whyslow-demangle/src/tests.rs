//! Display names.

use super::demangle;

#[track_caller]
fn check(raw: &str, expected: &str) {
    assert_eq!(demangle(raw.as_bytes()), expected);
}

#[test]
fn plain_names_stay() {
    check("memcpy", "memcpy");
    check("memcpy@@GLIBC_2.14", "memcpy@@GLIBC_2.14");
    check("memcpy@plt", "memcpy@plt");
    check("_Z", "_Z");
    check("_R", "_R");
    check("ZEND_ADD_SPEC", "ZEND_ADD_SPEC");
    check("Rf_eval", "Rf_eval");
    check("do_work.constprop.0", "do_work.constprop.0");
}

#[test]
fn rust_names_lose_their_hash() {
    check("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
    check(
        "_ZN66_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0123456789abcdefE",
        "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop",
    );
    check(
        "_ZN4core3fmt5write17h0123456789abcdefE.llvm.123456",
        "core::fmt::write",
    );
    check(
        "_RNvCskwGfYPst2Cb_3foo16example_function",
        "foo::example_function",
    );
}

#[test]
fn cpp_names_lose_parameters_and_return_type() {
    check("_ZN5space3fooEibc", "space::foo");
    check("_ZN5space3fooEibc@plt", "space::foo@plt");
    check(
        "_ZNSt6vectorIiSaIiEE9push_backERKi",
        "std::vector<int, std::allocator<int> >::push_back",
    );
    check("_Z3maxIiET_S0_S0_", "max<int>");
    check("_ZTV3Foo", "{vtable(Foo)}");
    check("_ZNK3FoocvbEv", "Foo::operator bool");
    check("_Znwm@@GLIBCXX_3.4", "operator new@@GLIBCXX_3.4");
    check("_Z1fILj5ELl7ELb1EEvv", "f<5u, 7l, true>");
    check("_Z1fIiJEEvv", "f<int>");
}

#[test]
fn parts_and_copies_count_to_their_function() {
    check("_ZN5space3fooEibc.cold", "space::foo");
    check("_ZN5space3fooEibc.isra.0.cold", "space::foo");
    check(
        "_RNvCskwGfYPst2Cb_3foo16example_function.llvm.12.cold",
        "foo::example_function",
    );
    check(
        "_ZN4core3fmt5write17h0123456789abcdefE.cold",
        "core::fmt::write",
    );
}

#[test]
fn what_runs_before_main_says_for_what() {
    check(
        "_GLOBAL__sub_I__ZN4shop4tillE",
        "global constructors keyed to shop::till",
    );
    check(
        "_GLOBAL__sub_D__ZN4shop4tillE",
        "global destructors keyed to shop::till",
    );
    check(
        "_GLOBAL__sub_I_00100_0__ZN4shop4tillE",
        "global constructors keyed to shop::till",
    );
    check("_GLOBAL__sub_I_main", "global constructors keyed to main");
    check(
        "_GLOBAL__sub_I_till.cpp",
        "global constructors keyed to till.cpp",
    );
    for odd in [
        "_GLOBAL__sub_I_",
        "_GLOBAL__sub_X_main",
        "_GLOBAL__sub_I__ZN",
    ] {
        check(odd, odd);
    }
}

#[test]
fn what_explodes_or_is_huge_is_cut() {
    let huge = "x".repeat(100_000);
    let shown = demangle(huge.as_bytes());
    assert!(shown.len() <= super::MAX_DISPLAY_BYTES && shown.ends_with('…'));
    // Every S_ doubles what came before.
    let mut bomb = "_Z1fI1AE".to_owned();
    bomb.push_str(&"N1B".repeat(500));
    assert!(demangle(bomb.as_bytes()).len() <= super::MAX_DISPLAY_BYTES);
    assert_eq!(demangle(b"\xff\xfe"), "\u{fffd}\u{fffd}");
}

#[test]
fn microsofts_names_lose_what_is_not_the_name() {
    check("?add@Till@shop@@QEAAHHPEBD@Z", "shop::Till::add");
    check("??0Till@shop@@QEAA@H@Z", "shop::Till::Till");
    check("??1?$Box@_J@shop@@QEAA@XZ", "shop::Box<__int64>::~Box");
    check("??MTill@shop@@QEBA_NAEBV01@@Z", "shop::Till::operator<");
    check(
        "??BTill@shop@@QEBAPEBDXZ",
        "shop::Till::operator char const *",
    );
    check("??$max@N@std@@YAAEBNAEBN0@Z", "std::max<double>");
    check(
        "?push_back@?$vector@V?$unique_ptr@HU?$default_delete@H@std@@@std@@V?$allocator@H@2@@std@@QEAAXXZ",
        "std::vector<std::unique_ptr<int,std::default_delete<int> >,std::allocator<int> >::push_back",
    );
    check("?f@?A0x1234abcd@@YAXXZ", "`anonymous namespace'::f");
    check("?x@?1??f@n@@YAHH@Z@4HA", "`n::f'::`2'::x");
    check(
        "??$g@P6AHPEAD@Z@@YAXP6AHPEAD@Z@Z",
        "g<int (__cdecl *)(char *)>",
    );
    check("??__EStart@@YAXXZ", "`dynamic initializer for 'Start''");
    check(
        "??_GTill@shop@@UEAAPEAXI@Z",
        "shop::Till::`scalar deleting destructor'",
    );
}

#[test]
fn microsofts_names_that_make_no_sense_stay() {
    for name in [
        "?",
        "??",
        "?a",
        "?@@3HA",
        "??_C@_05@bread?$AA@",
        "??@0123456789abcdef@",
        "?a@0",
    ] {
        check(name, name);
    }
    let deep = format!("??$f@{}H@@YAXXZ", "PEA".repeat(5_000));
    assert_eq!(demangle(deep.as_bytes()).chars().last(), Some('…'));
    // Every level takes the one before ten times.
    let bomb = "P6AXPEAHPEAD@Z".to_owned();
    let bomb = (1..9).fold(bomb, |bomb, level| {
        bomb + "P6AX" + &level.to_string().repeat(40) + "@Z"
    });
    let bomb = format!("??$f@P6AX{bomb}@Z@@YAXXZ");
    assert_eq!(demangle(bomb.as_bytes()), bomb);
}

#[test]
fn a_result_type_that_is_not_understood_hides_no_name() {
    // `enable_if<!is_array<T>::value>` as the type of the result.
    let mangled = "_ZSt11make_sharedIiJEESt10shared_ptrINSt9enable_ifIXntsrSt8is_arrayIT_E5valueES2_E4typeEEDpOT0_";
    assert_eq!(demangle(mangled.as_bytes()), "std::make_shared<int>");
    let real = "_ZSt11make_sharedINSt13__future_base17_Async_state_implINSt6thread8_InvokerISt5tupleIJPFiRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEESt17reference_wrapperISB_EEEEEiEEJRSD_SG_EESt10shared_ptrINSt9enable_ifIXntsrSt8is_arrayIT_E5valueESO_E4typeEEDpOT0_";
    let name = demangle(real.as_bytes()).into_owned();
    assert!(
        name.starts_with("std::make_shared<std::__future_base::_Async_state_impl<"),
        "{name}"
    );
    // What is no name stays as it is.
    assert_eq!(demangle(b"_ZEEEEEEEE"), "_ZEEEEEEEE");
}
