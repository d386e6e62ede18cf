-- The rank of each boat is one more than the number of faster boats in its class.
CREATE TABLE ranking AS
SELECT boat, class, seconds,
       1 + (SELECT count(*) FROM result AS faster
            WHERE faster.class = slow.class AND faster.seconds < slow.seconds) AS rank
FROM result AS slow;
SELECT class, max(rank) FROM ranking GROUP BY class;
