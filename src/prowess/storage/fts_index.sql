-- Words stand as documents bring them, with spaces between; to the tokenizer `ascii` all beyond ASCII is a letter.

-- name: create
CREATE TABLE document (key INTEGER PRIMARY KEY, digest INTEGER NOT NULL, twin INTEGER NOT NULL);
CREATE TABLE facet (facet TEXT NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (facet, key)) WITHOUT ROWID;
CREATE INDEX facet_of ON facet (key);
CREATE VIRTUAL TABLE everything USING fts5 (words, tokenize = 'ascii');
CREATE VIRTUAL TABLE meta USING fts5 (words, tokenize = 'ascii');
CREATE VIRTUAL TABLE name USING fts5 (words, tokenize = 'ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (everything, 'row');

-- name: size
SELECT count(*) FROM document;

-- name: held
SELECT key, digest FROM document;

-- name: forget_document
DELETE FROM document WHERE key = :key;

-- name: forget_facets
DELETE FROM facet WHERE key = :key;

-- name: forget_everything
DELETE FROM everything WHERE rowid = :key;

-- name: forget_meta
DELETE FROM meta WHERE rowid = :key;

-- name: forget_name
DELETE FROM name WHERE rowid = :key;

-- name: add_document
INSERT INTO document (key, digest, twin) VALUES (:key, :digest, :twin);

-- name: add_facets
INSERT OR IGNORE INTO facet (facet, key) SELECT value, :key FROM json_each(:facets);

-- name: add_everything
INSERT INTO everything (rowid, words) VALUES (:key, :everything);

-- name: add_meta
INSERT INTO meta (rowid, words) VALUES (:key, :meta);

-- name: add_name
INSERT INTO name (rowid, words) VALUES (:key, :name);

-- name: frequencies
SELECT term, doc FROM json_each(:words) AS wanted CROSS JOIN vocabulary ON term = wanted.value;

-- name: starting_with
SELECT term, doc FROM vocabulary WHERE term >= :beginning AND term < :beginning || char(1114111)
ORDER BY doc DESC, term LIMIT :limit;

-- name: find
WITH matched (key, score) AS (
    SELECT rowid, bm25(everything) FROM everything WHERE everything MATCH :words
    UNION ALL
    SELECT rowid, bm25(meta) * 0.5 FROM meta WHERE meta MATCH :words
    UNION ALL
    SELECT rowid, bm25(name) * 0.2 FROM name WHERE name MATCH :in_names
),
summed (key, score) AS (
    SELECT key, -sum(score) FROM matched GROUP BY key
)
SELECT score, key, twin FROM summed JOIN document USING (key)
WHERE NOT EXISTS (
    SELECT 1 FROM json_each(:facets) AS wanted
    WHERE NOT EXISTS (
        SELECT 1 FROM json_each(wanted.value) AS one JOIN facet ON facet.facet = one.value AND facet.key = summed.key
    )
)
ORDER BY score DESC, key LIMIT :limit;
