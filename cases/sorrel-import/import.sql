-- Takes the survey into a new database: one transaction, and the index when all rows are there.
pragma journal_mode = off;
create table plants (id integer primary key, kind text, square integer, cover real, day integer);
.import --csv plants.csv plants
create index plants_in_a_square on plants (square, day);
select kind, count(*), round(avg(cover), 3) from plants group by kind order by kind;
