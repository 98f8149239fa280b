'use strict';
// A small order service: validates an order, prices it and answers as JSON.
const express = require('express');
const { format, addDays } = require('date-fns');
const Joi = require('joi');
const _ = require('lodash');
const { v5: uuid } = require('uuid');
const winston = require('winston');

const log = winston.createLogger({ transports: [new winston.transports.Console()] });
const order = Joi.object({ item: Joi.string().required(), count: Joi.number().integer().min(1), price: Joi.number() });
const NAMESPACE = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

const app = express();

app.get('/', (request, response) => {
  const orders = _.range(1, 6).map((i) => Joi.attempt({ item: `part-${i}`, count: i, price: 2.5 }, order));
  response.json({
    total: _.sumBy(orders, (one) => one.count * one.price),
    due: format(addDays(new Date(2026, 0, 1), 14), 'yyyy-MM-dd'),
    id: uuid('orders', NAMESPACE),
  });
});

app.listen(Number(process.env.PORT), '0.0.0.0', () => log.info(`listening at ${process.env.PORT}`));
