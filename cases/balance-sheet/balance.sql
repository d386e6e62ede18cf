.mode csv
.output balance.csv
select b.id, b.day, b.account, b.cents,
       (select sum(e.cents) from bookings e where e.id <= b.id) as balance
from bookings b
order by b.id;
.output stdout
select count(*) || ' bookings, ' || sum(cents) || ' cents' from bookings;
