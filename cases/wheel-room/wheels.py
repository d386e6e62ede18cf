import os, zipfile
os.mkdir("wheels")
with zipfile.ZipFile("wheels/officeforms-1.2-py3-none-any.whl", "w") as z:
    z.writestr("officeforms/__init__.py", "FORMS = ['leave', 'travel']\n")
    z.writestr("officeforms-1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: officeforms\nVersion: 1.2\n")
    z.writestr("officeforms-1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    z.writestr("officeforms-1.2.dist-info/RECORD", "")
