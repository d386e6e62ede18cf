-- The results of a regatta: imports all in one transaction, makes an index, writes the list of the best.
BEGIN;
PRAGMA cache_size = -200000;
CREATE TABLE results (boat INTEGER, race INTEGER, seconds REAL, crew TEXT);
.mode csv
.import results.csv results
CREATE INDEX by_boat ON results (boat, race);
COMMIT;
.output best.txt
SELECT boat, count(*), round(avg(seconds), 1) AS mean, min(crew) FROM results GROUP BY boat ORDER BY mean LIMIT 500;
SELECT race, max(seconds) - min(seconds), count(DISTINCT boat) FROM results GROUP BY race;
.output
