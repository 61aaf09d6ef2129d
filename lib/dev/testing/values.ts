import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type OpenStore, type Test, minute } from './under-test.js';

const values: Readonly<Record<string, string>> = {
  'of one character': '0',
  'that looks like a number with a dot': '7.12',
  'in quotes of every kind': `'single' "double" \`back\` $1 $$ %s \${it}`,
  'with backslashes, new lines and tabs': 'a\\b\\\\c\\n \n \r\n \t end',
  'in other alphabets': 'Müßiggang, Ελλάδα, Łódź, 日本, 👩‍👩‍👧',
  'of 64 kB': randomBytes(48 * 1024).toString('base64url'),
};

/** What comes in comes out, whatever it looks like. */
export function valueTests(test: Test, open: OpenStore): void {
  for (const [what, value] of Object.entries(values)) {
    test(`a value ${what} is read back as it was written`, async () => {
      const { store } = await open();
      await store.create('a', value, minute);
      assert.equal((await store.read('a'))?.value, value);
      await store.replace('a', 1, `${value}${value}`, minute);
      assert.equal((await store.read('a'))?.value, `${value}${value}`);
    });
  }

  test('a hundred ids such as the kit makes them are told apart', async () => {
    const { store } = await open();
    const ids = Array.from({ length: 100 }, () => randomBytes(32).toString('base64url'));
    await Promise.all(ids.map(async (id) => await store.create(id, `value of ${id}`, minute)));
    const read = await Promise.all(ids.map(async (id) => await store.read(id)));
    assert.deepEqual(
      read.map((it) => it?.value),
      ids.map((id) => `value of ${id}`),
    );
  });

  test('ids that begin alike, or differ in case only, are told apart', async () => {
    const { store } = await open();
    const ids = ['a', 'aa', 'a-', 'a_', 'aA', 'A', '-a', '_a'];
    for (const id of ids) assert.equal(await store.create(id, `value of ${id}`, minute), true);
    await store.delete('a');
    assert.equal(await store.read('a'), undefined);
    for (const id of ids.slice(1)) assert.equal((await store.read(id))?.value, `value of ${id}`);
  });
}
