with open("parts.xml", "w") as f:
    f.write("<parts>\n")
    for i in range(1100):
        f.write(f'<part number="P{i}" rebate="{i % 20}"><price>{i * 7 % 90 + 1}.50</price></part>\n')
    f.write("</parts>\n")
