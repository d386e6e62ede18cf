import os
import zipfile

os.makedirs("lib")
os.makedirs("src/customs")
with open("src/customs/Duty.java", "w") as f:
    f.write("package customs; public interface Duty { boolean covers(String country); int percent(int value); }")
for n in range(24):
    with open(f"src/customs/Duty{n}.java", "w") as f:
        f.write(f"""package customs;
public class Duty{n} implements Duty {{
    public boolean covers(String country) {{ return country.hashCode() % 24 == {n}; }}
    public int percent(int value) {{ return value * {n + 3} / 100; }}
}}
""")
assert os.system("javac -nowarn -d classes src/customs/*.java \"$CASE\"/app/CustomsForms.java") == 0
for n in range(24):
    with zipfile.ZipFile(f"lib/duty{n}.jar", "w") as jar:
        jar.writestr("META-INF/services/customs.Duty", f"customs.Duty{n}\n")
        jar.write(f"classes/customs/Duty{n}.class", f"customs/Duty{n}.class")
    os.remove(f"classes/customs/Duty{n}.class")
