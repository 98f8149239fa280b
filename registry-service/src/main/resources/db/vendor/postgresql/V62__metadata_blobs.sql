-- Each database has its own function for hexadecimal text.
INSERT INTO blobs (name) SELECT 'metadata/' || ENCODE(digest, 'hex') FROM metadata_images ON CONFLICT DO NOTHING;
