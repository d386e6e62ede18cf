create table sales (id integer primary key, email text, day integer, cents integer);
.mode csv
begin;
.import sales.csv sales
create index by_email on sales (email);
create index by_day on sales (day, cents);
commit;
select day, count(*), sum(cents) from sales group by day order by 3 desc limit 5;
.exit
