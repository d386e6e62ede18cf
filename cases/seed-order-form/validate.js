'use strict';
// Checks nested orders. Each rule that does not match reports an error; "oneOf" tries its rules in turn.
class Mismatch extends Error {
  constructor(path, wanted) {
    super(`${path} is not ${wanted}`);
    this.path = path;
    this.where = this.stack.split('\n').slice(1).map((line) => line.trim());
  }
}

const rules = {
  number: (value, path) => { if (typeof value !== 'number') throw new Mismatch(path, 'a number'); },
  text: (value, path) => { if (typeof value !== 'string') throw new Mismatch(path, 'a text'); },
  empty: (value, path) => { if (value !== null) throw new Mismatch(path, 'empty'); },
};

function check(rule, value, path) {
  if (typeof rule === 'string') return rules[rule](value, path);
  if (rule.oneOf) return checkOneOf(rule.oneOf, value, path);
  if (rule.each) return checkEach(rule.each, value, path);
  return checkFields(rule.fields, value, path);
}

function checkOneOf(options, value, path) {
  const errors = [];
  for (const option of options) {
    try {
      return check(option, value, path);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      errors.push(error);
    }
  }
  throw new Mismatch(path, `one of ${errors.length} forms`);
}

function checkEach(rule, list, path) {
  if (!Array.isArray(list)) throw new Mismatch(path, 'a list');
  list.forEach((value, index) => check(rule, value, `${path}[${index}]`));
}

function checkFields(fields, value, path) {
  for (const [name, rule] of Object.entries(fields)) check(rule, value[name], `${path}.${name}`);
}

module.exports = { check, Mismatch };
