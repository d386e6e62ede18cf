//! The meaning of the letters in Microsoft's mangled names.

pub(super) const CV: [&str; 4] = ["", "const", "volatile", "const volatile"];

/// In the order of the codes 4 to 9, A and C to Z.
pub(super) const OPERATORS: &str =
    "= >> << ! == != [] -> * ++ -- - + & ->* / % < <= > >= , () ~ ^ | && || *= += -=";

/// In the order of the codes 7 to 9, A, B, D to O, S, T, X and Y.
pub(super) const SPECIAL: [&str; 21] = [
    "vftable",
    "vbtable",
    "vcall",
    "typeof",
    "local static guard",
    "vbase destructor",
    "vector deleting destructor",
    "default constructor closure",
    "scalar deleting destructor",
    "vector constructor iterator",
    "vector destructor iterator",
    "vector vbase constructor iterator",
    "virtual displacement map",
    "eh vector constructor iterator",
    "eh vector destructor iterator",
    "eh vector vbase constructor iterator",
    "copy constructor closure",
    "local vftable",
    "local vftable constructor closure",
    "placement delete closure",
    "placement delete[] closure",
];

pub(super) const TYPES: &[(char, &str)] = &[
    ('C', "signed char"),
    ('D', "char"),
    ('E', "unsigned char"),
    ('F', "short"),
    ('G', "unsigned short"),
    ('H', "int"),
    ('I', "unsigned int"),
    ('J', "long"),
    ('K', "unsigned long"),
    ('M', "float"),
    ('N', "double"),
    ('O', "long double"),
    ('X', "void"),
    ('Z', "..."),
];

pub(super) const WIDE_TYPES: &[(char, &str)] = &[
    ('D', "__int8"),
    ('E', "unsigned __int8"),
    ('F', "__int16"),
    ('G', "unsigned __int16"),
    ('H', "__int32"),
    ('I', "unsigned __int32"),
    ('J', "__int64"),
    ('K', "unsigned __int64"),
    ('L', "__int128"),
    ('M', "unsigned __int128"),
    ('N', "bool"),
    ('P', "auto"),
    ('Q', "char8_t"),
    ('S', "char16_t"),
    ('T', "decltype(auto)"),
    ('U', "char32_t"),
    ('W', "wchar_t"),
];
