import os
for i in range(140):
    name = f"harbour_addon_{i:03}"
    folder = f"site/{name}-1.{i % 7}.dist-info"
    os.makedirs(folder)
    with open(folder + "/METADATA", "w") as out:
        out.write(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.{i % 7}\nSummary: an add-on of the harbour's notices\n\n" + "text\n" * 30)
    if i % 10 == 0:
        with open(folder + "/entry_points.txt", "w") as out:
            out.write(f"[harbour.formatters]\nformat{i} = formatters:plain\n\n[console_scripts]\n{name} = {name}.cli:main\n")
with open("site/formatters.py", "w") as out:
    out.write("def plain(notice):\n    return f\"{notice['ship']:<12} {notice['pier']:>3} {notice['text']}\"\n")
