-- One statement after another for each version of the schema. A version that was released is never changed.

-- name: v1
CREATE TABLE proposal (
    id TEXT PRIMARY KEY,
    entry TEXT NOT NULL,
    digest TEXT NOT NULL,
    actor TEXT NOT NULL,
    created REAL NOT NULL,
    expires REAL NOT NULL,
    text BLOB NOT NULL,
    decision TEXT,
    decided_by TEXT,
    decided_at REAL,
    note TEXT,
    used_at REAL
);
CREATE INDEX proposal_call ON proposal (entry, digest, actor);
CREATE INDEX proposal_created ON proposal (created, id);

CREATE TABLE rate (key TEXT NOT NULL, at REAL NOT NULL, until REAL NOT NULL);
CREATE INDEX rate_key ON rate (key, until);
CREATE INDEX rate_until ON rate (until);
CREATE TRIGGER rate_forget AFTER INSERT ON rate BEGIN
    DELETE FROM rate WHERE until <= new.at;
    DELETE FROM rate WHERE key = new.key AND until > new.until + (new.until - new.at);
END;

CREATE TABLE audit_record (
    number INTEGER PRIMARY KEY,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    text BLOB NOT NULL,
    at REAL NOT NULL,
    entry TEXT NOT NULL,
    actor TEXT NOT NULL,
    channel TEXT NOT NULL,
    run TEXT NOT NULL,
    verdict TEXT NOT NULL,
    error TEXT
);
CREATE INDEX audit_entry ON audit_record (entry, number);
CREATE INDEX audit_actor ON audit_record (actor, number);
CREATE INDEX audit_run ON audit_record (run, number);
CREATE INDEX audit_at ON audit_record (at);
CREATE INDEX audit_error ON audit_record (error, number) WHERE error IS NOT NULL;
CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit_record BEGIN
    SELECT raise(ABORT, 'the audit trail is only ever added to');
END;
CREATE TRIGGER audit_unremoved BEFORE DELETE ON audit_record BEGIN
    SELECT raise(ABORT, 'the audit trail is only ever added to');
END;
CREATE TABLE audit_head (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL, hash TEXT NOT NULL);
INSERT INTO audit_head VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');
