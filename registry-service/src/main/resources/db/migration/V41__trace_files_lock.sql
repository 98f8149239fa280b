-- What writes the files of traces; 'traces' is held for their rows alone.
INSERT INTO locks (name) VALUES ('trace-files');
