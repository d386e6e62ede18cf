#!/bin/sh
# The tariffs of a power station, as the planning department delivers them.
mkdir -p office
awk 'BEGIN {
    for (n = 0; n < 9000; n++)
        printf "TARIFF_%d = {\"name\": \"tariff %d\", \"base\": %d + %d, \"steps\": [%d, %d, %d], \"night\": %s}\n", n, n, n % 90, n % 7, n, n * 2, n * 3, n % 2 ? "True" : "False"
}' > office/tariffs.py
cat > office/bill.py <<'END'
import sys
import tariffs
tariff = getattr(tariffs, f"TARIFF_{int(sys.argv[1]) % 9000}")
print(sys.argv[1], tariff["name"], tariff["base"] + tariff["steps"][1])
END
