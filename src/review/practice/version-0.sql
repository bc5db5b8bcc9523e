-- A file of exercises of version 0, with one exercise and its answer.
CREATE TABLE games (key TEXT PRIMARY KEY, mistakes TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE exercises (
   id INTEGER PRIMARY KEY, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
   position TEXT NOT NULL, mistake INTEGER NOT NULL, best INTEGER NOT NULL,
   lost REAL NOT NULL, source TEXT NOT NULL, answer_key TEXT, UNIQUE (player, opponent)
) STRICT;
CREATE TABLE answers (
   exercise INTEGER NOT NULL REFERENCES exercises (id), at INTEGER NOT NULL,
   move INTEGER NOT NULL, lost REAL NOT NULL, hinted INTEGER NOT NULL
) STRICT;
INSERT INTO exercises VALUES (
   7, PLAYER, OPPONENT, 'POSITION', 19, 37, 2.5, 'a ''b''', '{"limits":"x","lines":[]}'
);
INSERT INTO answers VALUES (7, 1700000000000, 26, 1.5, 1);
PRAGMA application_id = 1164791922;
