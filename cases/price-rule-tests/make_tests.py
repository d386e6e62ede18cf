import os
os.mkdir("test")
open("rules.mjs", "w").write("""export function price(pieces, single, rebate) {
  const sum = pieces * single;
  return Math.round(pieces >= 10 ? sum * (1 - rebate) : sum);
}
""")
for i in range(9):
    open(f"test/rule{i}.test.mjs", "w").write(f"""import test from 'node:test';
import assert from 'node:assert';
import {{ price }} from '../rules.mjs';

test('rule {i}: no rebate for few pieces', () => assert.equal(price({i + 1}, 100, 0.1), {i + 1}00));
test('rule {i}: rebate for many', () => assert.equal(price({i + 10}, 100, 0.1), {(i + 10) * 90}));
""")
