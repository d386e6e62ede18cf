#!/bin/sh
# The bookings of a club.
sqlite3 books.db <<X
create table bookings (id integer primary key, day text, account integer, cents integer);
with recursive n (i) as (select 1 union all select i + 1 from n where i < 7500)
insert into bookings select i, date('2020-01-01', (i / 6) || ' days'), i % 7, (i * 7919) % 20000 - 9000 from n;
X
