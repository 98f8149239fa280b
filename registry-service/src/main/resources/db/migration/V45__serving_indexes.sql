-- What a container's start asks for is one row of an index, however many images share its layers.
CREATE INDEX images_by_top_chain ON images (top_chain, created);
CREATE INDEX objects_by_pack ON objects (pack);
