-- name: create
CREATE TABLE IF NOT EXISTS vector (digest INTEGER PRIMARY KEY, numbers BLOB NOT NULL);

-- name: get
SELECT digest, numbers FROM vector WHERE digest IN (SELECT value FROM json_each(:digests));

-- name: put
INSERT OR REPLACE INTO vector (digest, numbers) VALUES (:digest, :numbers);
