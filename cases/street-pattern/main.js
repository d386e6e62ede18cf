// Checks the forms of customers: a street consists of words, and a house has a number.
'use strict';
const fs = require('fs');

const STREET = /^([a-z]+ ?)+$/i;
const spent = { good: 0, bad: 0 };
const count = { good: 0, bad: 0 };

function isStreet(text) {
  return STREET.test(text);
}

function checkForm(form) {
  return isStreet(form.street) && /^[0-9]+[a-z]?$/.test(form.house);
}

function formOf(number) {
  if (number % 3 === 0) {
    return { street: 'Johannisbergerstrasse'.slice(0, 20) + '.', house: '7a' };
  }
  return { street: 'Long Street', house: String(number % 90) };
}

const start = process.hrtime.bigint();
for (let number = 0; process.hrtime.bigint() - start < 2000000000n; number++) {
  const before = process.hrtime.bigint();
  const kind = checkForm(formOf(number)) ? 'good' : 'bad';
  spent[kind] += Number(process.hrtime.bigint() - before);
  count[kind]++;
}
const wall = Number(process.hrtime.bigint() - start);
fs.writeFileSync('truth', `bad ${(spent.bad / wall).toFixed(3)}\nforms ${count.good + count.bad}\nus_bad ${(spent.bad / count.bad / 1e3).toFixed(0)}\nus_good ${(spent.good / count.good / 1e3).toFixed(1)}\n`);
