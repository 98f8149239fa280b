'use strict';
// A page with a table that Handlebars renders, its rows checked by Zod, served by Fastify.
const Fastify = require('fastify');
const Handlebars = require('handlebars');
const { z } = require('zod');

const items = z.array(z.object({ name: z.string(), price: z.number() })).parse([
  { name: 'Anemometer', price: 149 },
  { name: 'Barometer', price: 89.5 },
  { name: 'Rain gauge', price: 24.5 },
]);
const page = Handlebars.compile('<h1>Stock</h1><ul>{{#each items}}<li>{{name}}: {{price}}</li>{{/each}}</ul>');

const app = Fastify({ logger: true });
app.get('/', async (request, reply) => reply.type('text/html').send(page({ items })));
app.listen({ port: Number(process.env.PORT), host: '0.0.0.0' });
