"""Writes a small C++ project: each unit checks texts, and includes what the project always includes."""
UNITS = 4

with open("common.h", "w") as out:
    out.write("#pragma once\n#include <iostream>\n#include <map>\n#include <string>\n#include <vector>\n")
for unit in range(UNITS):
    with open(f"unit_{unit}.cpp", "w") as out:
        out.write(f"""#include "common.h"
bool check_{unit}(const std::string &text) {{
    return text.size() > {unit} && text.find("-{unit}") != std::string::npos;
}}
std::map<std::string, int> count_{unit}(const std::vector<std::string> &texts) {{
    std::map<std::string, int> counts;
    for (auto &text : texts)
        counts[text] += check_{unit}(text);
    return counts;
}}
""")
objects = " ".join(f"unit_{unit}.o" for unit in range(UNITS))
with open("Makefile", "w") as out:
    out.write(f"CXX = g++\nCXXFLAGS = -O0\n\nall: checks.a list.txt\n\nchecks.a: {objects}\n\tar cr $@ $^\n\n"
              f"list.txt: checks.a\n\tnm -C checks.a | sort > $@\n\n{objects}: common.h\n")
