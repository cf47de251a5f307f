-- One statement after another for each version of the schema. A version that was released is never changed.
-- Text compares by its bytes, whatever the database's language.

-- name: v1
CREATE TABLE prowess_proposal (
    id text COLLATE "C" PRIMARY KEY,
    entry text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    actor text COLLATE "C" NOT NULL,
    created double precision NOT NULL,
    expires double precision NOT NULL,
    text bytea NOT NULL,
    decision text,
    decided_by text,
    decided_at double precision,
    note text,
    used_at double precision
);
CREATE INDEX prowess_proposal_call ON prowess_proposal (entry, digest, actor);
CREATE INDEX prowess_proposal_created ON prowess_proposal (created, id);

CREATE TABLE prowess_rate (
    key text COLLATE "C" PRIMARY KEY,
    times double precision[] NOT NULL,
    until double precision NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE prowess_audit_record (
    number bigint PRIMARY KEY,
    previous text NOT NULL,
    hash text NOT NULL,
    text bytea NOT NULL,
    at double precision NOT NULL,
    entry text COLLATE "C" NOT NULL,
    actor text COLLATE "C" NOT NULL,
    channel text COLLATE "C" NOT NULL,
    run text COLLATE "C" NOT NULL,
    verdict text NOT NULL,
    error text
);
CREATE INDEX prowess_audit_entry ON prowess_audit_record (entry, number);
CREATE INDEX prowess_audit_actor ON prowess_audit_record (actor, number);
CREATE INDEX prowess_audit_run ON prowess_audit_record (run, number);
CREATE INDEX prowess_audit_at ON prowess_audit_record (at);
CREATE INDEX prowess_audit_error ON prowess_audit_record (error, number) WHERE error IS NOT NULL;
CREATE FUNCTION prowess_audit_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is only ever added to';
END
$$;
CREATE TRIGGER prowess_audit_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON prowess_audit_record
FOR EACH STATEMENT EXECUTE FUNCTION prowess_audit_unchanged();
CREATE TABLE prowess_audit_head (one integer PRIMARY KEY CHECK (one = 1), number bigint NOT NULL, hash text NOT NULL);
INSERT INTO prowess_audit_head VALUES (1, 0, repeat('0', 64));
