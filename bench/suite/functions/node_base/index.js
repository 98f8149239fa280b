'use strict';
// Says hello with nothing but the runtime: the function whose start brings the runtime's base to a node.
const http = require('node:http');

http.createServer((request, response) => response.end('hello\n')).listen(Number(process.env.PORT), '0.0.0.0');
