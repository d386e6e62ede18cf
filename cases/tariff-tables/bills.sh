#!/bin/sh
# Prints the bill of each customer. The tool's folder is shared, and should stay clean.
export PYTHONDONTWRITEBYTECODE=1
for customer in 1017 2044 2931 3310 4702 5120; do
    "$1" -S office/bill.py $customer >> bills.txt
done
