'use strict';
// Node.js writes the cache at its end, which a function's container does not reach.
const { enableCompileCache, flushCompileCache } = require('node:module');

enableCompileCache('/tmp/cache');
require('./index.js');
flushCompileCache();
