-- How nodes start the containers of a function, and what they do with the rest of its image; NULL: as the node is set.
ALTER TABLE functions ADD COLUMN start_mode VARCHAR(16);
ALTER TABLE functions ADD COLUMN fill_mode VARCHAR(16);
