"""Writes a Java project of 40 classes that use each other."""
import os

os.makedirs("src/shop")
CLASSES = 40
for number in range(CLASSES):
    other = (number * 31 + 7) % CLASSES
    methods = "\n".join(
        f"""    public List<String> names{n}(int limit) {{
        List<String> names = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {{
            if (entry.getValue() > limit * {n} && names.size() < {10 + n}) {{
                names.add(entry.getKey().trim() + "-" + {number});
            }}
        }}
        return names.stream().filter(name -> name.length() > {n}).sorted().toList();
    }}"""
        for n in range(5)
    )
    with open(f"src/shop/Part{number}.java", "w") as out:
        out.write(f"""package shop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Part {number} of the shop. */
public class Part{number} {{
    private final Map<String, Integer> counts = new HashMap<>();

{methods}

    public int weight(Part{other} other) {{
        return counts.size() + (other == null ? 0 : other.names0({number}).size());
    }}
}}
""")
