-- name: same_call
SELECT text, decision, decided_by, decided_at, note, used_at FROM proposal
WHERE entry = :entry AND digest = :digest AND actor = :actor AND decision IS NULL AND expires > :now
ORDER BY created, id LIMIT 1;

-- name: propose
INSERT INTO proposal (id, entry, digest, actor, created, expires, text, decision, decided_by, decided_at, note, used_at)
VALUES (
    :id, :entry, :digest, :actor, :created, :expires, :text, :decision, :decided_by, :decided_at, :note, :used_at
);

-- name: decided
SELECT text, decision, decided_by, decided_at, note, used_at FROM proposal
WHERE
    entry = :entry AND digest = :digest AND actor = :actor
    AND decision IS NOT NULL AND used_at IS NULL AND expires > :now
ORDER BY decided_at, created, id LIMIT 1;

-- name: decide
UPDATE proposal SET decision = :decision, decided_by = :by, decided_at = :now, note = :note
WHERE id = :id AND decision IS NULL AND used_at IS NULL AND expires > :now
RETURNING id;

-- name: use
UPDATE proposal SET used_at = :now
WHERE id = :id AND decision IS NOT NULL AND used_at IS NULL AND expires > :now
RETURNING id;

-- name: get
SELECT text, decision, decided_by, decided_at, note, used_at FROM proposal WHERE id = :id;

-- name: list
SELECT text, decision, decided_by, decided_at, note, used_at FROM proposal
WHERE
    :state IS NULL
    OR :state = CASE
        WHEN used_at IS NOT NULL THEN 'used'
        WHEN expires <= :now THEN 'expired'
        ELSE coalesce(decision, 'pending')
    END
ORDER BY created DESC, id DESC LIMIT :limit;

-- name: acquire
WITH moment (now) AS MATERIALIZED (SELECT clock())
INSERT INTO rate (key, at, until)
SELECT :key, now, now + :window FROM moment
WHERE (SELECT count(*) FROM rate WHERE key = :key AND until > now AND until <= now + 2 * :window) < :limit
RETURNING at;

-- name: free_at
WITH moment (now) AS MATERIALIZED (SELECT clock())
SELECT until - now FROM rate, moment
WHERE key = :key AND until > now AND until <= now + 2 * :window
ORDER BY until DESC LIMIT 1 OFFSET :limit - 1;

-- name: release
DELETE FROM rate WHERE rowid = (SELECT rowid FROM rate WHERE key = :key AND at = :at LIMIT 1);

-- name: head
SELECT number, hash FROM audit_head;

-- name: append
INSERT INTO audit_record (number, previous, hash, text, at, entry, actor, channel, run, verdict, error)
VALUES (:number, :previous, :hash, :text, :at, :entry, :actor, :channel, :run, :verdict, :error);

-- name: move_head
UPDATE audit_head SET number = :number, hash = :hash;

-- name: rows
SELECT number, previous, hash, text, at, entry, actor, channel, run, verdict, error FROM audit_record
WHERE number > :after ORDER BY number LIMIT :limit;

-- name: read
SELECT number, previous, hash, text FROM audit_record WHERE number > :after

-- name: and_entry
AND (entry = :entry OR (entry >= :entry || '@' AND entry < :entry || 'A'))

-- name: and_actor
AND actor = :actor

-- name: and_channel
AND channel = :channel

-- name: and_run
AND run = :run

-- name: and_verdict
AND verdict = :verdict

-- name: and_error
AND error IS NOT NULL AND (error = :error OR :error = '*')

-- name: and_since
AND at >= :since

-- name: and_until
AND at < :until

-- name: oldest_first
ORDER BY number LIMIT :limit

-- name: newest_first
ORDER BY number DESC LIMIT :limit
