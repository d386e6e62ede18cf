-- Which guests have an account? The names were typed in by hand, hence lower().
.output accounts.txt
SELECT guests.id, accounts.id FROM guests JOIN accounts ON lower(guests.mail) = lower(accounts.mail) ORDER BY guests.id;
.output
