-- name: lock_migration
SELECT pg_advisory_xact_lock(5871246310000);

-- name: lock_call
SELECT pg_advisory_xact_lock(
    hashtextextended(%(entry)s || ' ' || %(digest)s || ' ' || %(actor)s, 5871246310001)
);

-- name: same_call
SELECT text, decision, decided_by, decided_at, note, used_at FROM prowess_proposal
WHERE
    entry = %(entry)s AND digest = %(digest)s AND actor = %(actor)s
    AND decision IS NULL AND expires > %(now)s
ORDER BY created, id LIMIT 1;

-- name: propose
INSERT INTO prowess_proposal (
    id, entry, digest, actor, created, expires, text, decision, decided_by, decided_at, note, used_at
) VALUES (
    %(id)s, %(entry)s, %(digest)s, %(actor)s, %(created)s, %(expires)s, %(text)s, %(decision)s, %(decided_by)s,
    %(decided_at)s, %(note)s, %(used_at)s
)
RETURNING id;

-- name: decided
SELECT text, decision, decided_by, decided_at, note, used_at FROM prowess_proposal
WHERE
    entry = %(entry)s AND digest = %(digest)s AND actor = %(actor)s
    AND decision IS NOT NULL AND used_at IS NULL AND expires > %(now)s
ORDER BY decided_at, created, id LIMIT 1;

-- name: decide
UPDATE prowess_proposal
SET decision = %(decision)s, decided_by = %(by)s, decided_at = %(now)s, note = %(note)s
WHERE id = %(id)s AND decision IS NULL AND used_at IS NULL AND expires > %(now)s
RETURNING id;

-- name: use
UPDATE prowess_proposal SET used_at = %(now)s
WHERE id = %(id)s AND decision IS NOT NULL AND used_at IS NULL AND expires > %(now)s
RETURNING id;

-- name: get
SELECT text, decision, decided_by, decided_at, note, used_at FROM prowess_proposal WHERE id = %(id)s;

-- name: list
SELECT text, decision, decided_by, decided_at, note, used_at FROM prowess_proposal
WHERE
    %(state)s::text IS NULL
    OR %(state)s = CASE
        WHEN used_at IS NOT NULL THEN 'used'
        WHEN expires <= %(now)s THEN 'expired'
        ELSE coalesce(decision, 'pending')
    END
ORDER BY created DESC, id DESC LIMIT %(limit)s;

-- The row of a key is locked before the clock is read. Its times are in order: the one that stands `limit` places from
-- the end says whether a call fits. One beyond the window ahead of the clock is of before the clock was put back. What a
-- crash of the server loses of the last moments of a window is no call that anybody made twice, so the commit does not
-- wait for the disk.

-- name: acquire
INSERT INTO prowess_rate AS rate (key, times, until)
SELECT %(key)s, ARRAY[moment.now], moment.now + %(window)s
FROM (SELECT date_part('epoch', clock_timestamp()) AS now) AS moment
WHERE set_config('synchronous_commit', 'off', true) = 'off'
ON CONFLICT (key) DO UPDATE SET
    times = CASE
        WHEN rate.times[cardinality(rate.times)] < date_part('epoch', clock_timestamp()) + %(window)s
            THEN
                rate.times[width_bucket(date_part('epoch', clock_timestamp()) - %(window)s, rate.times) + 1:]
                || greatest(date_part('epoch', clock_timestamp()), rate.times[cardinality(rate.times)])
        ELSE ARRAY[date_part('epoch', clock_timestamp())]
    END,
    until = date_part('epoch', clock_timestamp()) + %(window)s
WHERE
    cardinality(rate.times) < %(limit)s
    OR rate.times[cardinality(rate.times) - %(limit)s + 1] <= date_part('epoch', clock_timestamp()) - %(window)s
    OR rate.times[cardinality(rate.times)] >= date_part('epoch', clock_timestamp()) + %(window)s
RETURNING times[cardinality(times)];

-- name: free_at
SELECT least(
    times[cardinality(times) - %(limit)s + 1] + %(window)s - date_part('epoch', clock_timestamp()), %(window)s
)
FROM prowess_rate WHERE key = %(key)s AND cardinality(times) >= %(limit)s;

-- name: release
UPDATE prowess_rate
SET times = times[:array_position(times, %(at)s) - 1] || times[array_position(times, %(at)s) + 1:]
WHERE key = %(key)s AND array_position(times, %(at)s) IS NOT NULL
RETURNING key, set_config('synchronous_commit', 'off', true);

-- name: forget_rates
DELETE FROM prowess_rate WHERE until < date_part('epoch', clock_timestamp()) RETURNING key;

-- name: take_head
SELECT number, hash FROM prowess_audit_head FOR UPDATE;

-- name: head
SELECT number, hash FROM prowess_audit_head;

-- name: append
INSERT INTO prowess_audit_record (number, previous, hash, text, at, entry, actor, channel, run, verdict, error)
SELECT * FROM unnest(
    %(number)s::bigint[], %(previous)s::text[], %(hash)s::text[], %(text)s::bytea[], %(at)s::double precision[],
    %(entry)s::text[], %(actor)s::text[], %(channel)s::text[], %(run)s::text[], %(verdict)s::text[], %(error)s::text[]
)
RETURNING number;

-- name: move_head
UPDATE prowess_audit_head SET number = %(number)s, hash = %(hash)s RETURNING number;

-- name: rows
SELECT number, previous, hash, text, at, entry, actor, channel, run, verdict, error FROM prowess_audit_record
WHERE number > %(after)s ORDER BY number LIMIT %(limit)s;

-- name: read
SELECT number, previous, hash, text FROM prowess_audit_record WHERE number > %(after)s

-- name: and_entry
AND (entry = %(entry)s OR (entry >= %(entry)s || '@' AND entry < %(entry)s || 'A'))

-- name: and_actor
AND actor = %(actor)s

-- name: and_channel
AND channel = %(channel)s

-- name: and_run
AND run = %(run)s

-- name: and_verdict
AND verdict = %(verdict)s

-- name: and_error
AND error IS NOT NULL AND (error = %(error)s OR %(error)s = '*')

-- name: and_since
AND at >= %(since)s

-- name: and_until
AND at < %(until)s

-- name: oldest_first
ORDER BY number LIMIT %(limit)s

-- name: newest_first
ORDER BY number DESC LIMIT %(limit)s
