CREATE VIRTUAL TABLE letter USING fts5(sender, body);
BEGIN;
INSERT INTO letter
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 240000)
SELECT 'person' || (i % 400), 'word' || (i * 7919 % 3001) || ' word' || (i * 104729 % 5003) || ' word' || (i * 31 % 997) || ' letter ' || i FROM n;
COMMIT;
INSERT INTO letter(letter) VALUES ('optimize');
SELECT count(*) FROM letter WHERE letter MATCH 'word17 OR word29';
SELECT sender, count(*) FROM letter WHERE letter MATCH 'letter' GROUP BY sender ORDER BY 2 DESC, 1 LIMIT 3;
