// The tests of formats other than values of Godot.
import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LONGEST_TASK } from './driver.mjs';

const corpus = path => readFile(new URL(`../../corpus/${path}`, import.meta.url));
const SIZE = 70 << 20;

async function checkAccessibility(page) {
  const violations = await page.evaluate(async () => (await axe.run()).violations);
  const text = violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join('\n')}`);
  assert.equal(violations.length, 0, text.join('\n'));
}

// Drops several files at once.
async function dropAll(page, files) {
  await page.evaluate(() => { document.getElementById('name').textContent = ''; });
  const base64 = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  const data = await page.evaluateHandle(files => {
    const data = new DataTransfer();
    for (const [name, base64] of files) {
      const bytes = Uint8Array.from(atob(base64), char => char.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, base64);
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

// Downloads the two files of a package.
async function downloads(page) {
  const found = [];
  const listen = download => found.push(download);
  page.on('download', listen);
  await page.click('#save');
  for (let round = 0; found.length < 2 && round < 100; round++) await page.waitForTimeout(50);
  page.off('download', listen);
  return Promise.all(found.map(async download => [download.suggestedFilename(), await readFile(await download.path())]));
}

// Selects a value by its path, and changes it.
async function change(driver, path, text) {
  await driver.select(path);
  await driver.edit(text);
  assert.equal(await driver.message(), 'Changed.');
}

const string = text => {
  const bytes = Buffer.alloc(4 + text.length + 1);
  bytes.writeInt32LE(text.length + 1);
  bytes.write(text, 4, 'latin1');
  return bytes;
};
const word = number => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(number);
  return bytes;
};

// Replaces the first occurrence of some bytes.
function replaced(bytes, old, next) {
  const at = bytes.indexOf(old);
  assert.ok(at >= 0);
  return Buffer.concat([bytes.subarray(0, at), next, bytes.subarray(at + old.length)]);
}

// A property as Unreal Engine 4.27 writes it.
const property = (name, kind, value, extra = []) =>
  Buffer.concat([string(name), string(kind), word(value.length), word(0), ...extra, Buffer.from([0]), value]);

// A save with a list of heroes, of about `size` bytes.
async function largeSave(size) {
  const real = await corpus('unreal/gvas-ue4.27-Slot1.sav');
  const header = real.subarray(0, real.indexOf(string('u8_test')));
  const guid = Buffer.alloc(16);
  const hero = index => Buffer.concat([
    property('Name', 'StrProperty', string(`hero ${index}`)),
    property('Level', 'IntProperty', word(index)),
    property('Place', 'StructProperty', Buffer.alloc(12, index & 0x3F), [string('Vector'), guid]),
    string('None'),
  ]);
  const count = Math.ceil(size / hero(100_000).length);
  const heroes = Buffer.concat(Array.from({ length: count }, (_, index) => hero(index)));
  const inner = Buffer.concat([
    string('Heroes'), string('StructProperty'), word(heroes.length), word(0), string('Hero'), guid, Buffer.from([0]),
  ]);
  const value = Buffer.concat([word(count), inner, heroes]);
  const list = property('Heroes', 'ArrayProperty', value, [string('StructProperty')]);
  return { count, file: Buffer.concat([header, list, string('None'), word(0)]) };
}

export const formatTests = {
  async 'a save of Unreal Engine'(open, out) {
    const { driver, page } = await open();
    const file = await corpus('unreal/gvas-ue4.27-Slot1.sav');
    await driver.open('Slot1.sav', file);
    assert.deepEqual(await driver.download(), file);
    await change(driver, 'u8_test', '7');
    const at = file.indexOf(Buffer.from([0x81]), file.indexOf(string('u8_test')) + 12);
    const saved = await driver.download();
    assert.equal(saved.length, file.length);
    const differing = [...saved.keys()].filter(index => saved[index] !== file[index]);
    assert.deepEqual(differing, [at]);
    await page.screenshot({ path: join(out, 'unreal-save.png') });
    await checkAccessibility(page);
    await page.click('#undo');
    await driver.settle();
    assert.deepEqual(await driver.download(), file);
  },

  async 'a save in the wrapper of a game'(open) {
    const { driver } = await open();
    const file = await corpus('unreal-small/palworld_PlZ1.sav');
    await driver.open('palworld.sav', file);
    assert.deepEqual(await driver.download(), file);
    const label = await driver.page.textContent('.row:nth-of-type(3) .label');
    await driver.page.click('.row:nth-of-type(3) .text');
    await driver.settle();
    const old = await driver.page.inputValue('#value');
    const next = /^-?\d+$/.test(old) ? '7' : `${old}, longer`;
    await driver.edit(next);
    assert.equal(await driver.message(), 'Changed.', label);
    const saved = await driver.download();
    await driver.open('again.sav', saved);
    await driver.page.click('.row:nth-of-type(3) .text');
    await driver.settle();
    assert.equal(await driver.page.inputValue('#value'), next);
  },

  async 'a package of Unreal Engine with its exports'(open, out) {
    const { driver, page } = await open();
    const name = 'ue5.8-cooked-tagged-DA_AllProperties';
    const [asset, exports] = await Promise.all(['uasset', 'uexp'].map(end => corpus(`unreal/${name}.${end}`)));
    await driver.drop('DA.uasset', asset);
    await driver.shown('DA.uasset');
    assert.match(await page.textContent('#wanted'), /another file/);
    await page.setInputFiles('#companion', { name: 'DA.uexp', mimeType: '', buffer: exports });
    await page.waitForFunction(() => document.getElementById('wanted').hidden);
    await dropAll(page, [['DA.uexp', exports], ['DA.uasset', asset]]);
    await driver.shown('DA.uasset');
    assert.deepEqual(await downloads(page), [['DA.uasset', asset], ['DA.uexp', exports]]);
    await page.screenshot({ path: join(out, 'unreal-package.png') });
    await checkAccessibility(page);
    await change(driver, 'Marker', '5');
    assert.deepEqual(await downloads(page), [['DA.uasset', asset], ['DA.uexp', replaced(exports, word(38177486), word(5))]]);
    // A longer text moves everything after it, so the tables of the package change, too.
    await change(driver, 'Label', 'A payload with a longer label than before');
    const saved = await downloads(page);
    await dropAll(page, saved);
    await driver.shown('DA.uasset');
    await driver.search('a longer label than before', 'value');
    assert.equal(await driver.message(), '1 found.');
    await page.click('#check');
    await page.waitForFunction(() => /well-formed/.test(document.getElementById('message').textContent));
    assert.deepEqual(await downloads(page), saved);
  },

  async 'packages are compared with their exports'(open) {
    const { driver, page } = await open();
    const name = 'ue5.8-cooked-tagged-DA_AllProperties';
    const [asset, exports] = await Promise.all(['uasset', 'uexp'].map(end => corpus(`unreal/${name}.${end}`)));
    await dropAll(page, [['DA.uasset', asset], ['DA.uexp', exports]]);
    await driver.shown('DA.uasset');
    const compare = exports => page.setInputFiles('#other-file',
      [['DA.uexp', exports], ['DA.uasset', asset]].map(([name, buffer]) => ({ name, mimeType: '', buffer })));
    await compare(exports);
    await page.waitForFunction(() => /same values/.test(document.getElementById('message').textContent));
    await compare(replaced(exports, word(38177486), word(5)));
    await page.waitForFunction(() => /^1 difference/.test(document.getElementById('message').textContent));
    assert.deepEqual(await page.locator('#differences-rows td').allTextContents(), ['38177486', '5']);
  },

  async 'properties without names: mappings'(open) {
    const { driver, page } = await open();
    const [asset, exports, mappings] = await Promise.all(
      ['tiny.uasset', 'tiny.uexp', 'tiny.v4.usmap'].map(file => corpus(`unreal-mappings/${file}`)));
    await dropAll(page, [['tiny.uasset', asset], ['tiny.uexp', exports]]);
    await driver.shown('tiny.uasset');
    assert.match(await page.textContent('#wanted'), /mappings/);
    await page.setInputFiles('#companion', { name: 'tiny.usmap', mimeType: '', buffer: mappings });
    await page.waitForFunction(() => document.getElementById('wanted').hidden);
    await driver.settle();
    await driver.search('KByte', 'key');
    assert.equal(await driver.message(), '1 found.');
    assert.deepEqual(await downloads(page), [['tiny.uasset', asset], ['tiny.uexp', exports]]);
  },

  async 'saves of Rem’s Engine: text and binary'(open, out) {
    const { driver, page } = await open();
    const text = await corpus('rems/real/engine-prefab-handformatted.json');
    await driver.open('prefab.json', text);
    await page.screenshot({ path: join(out, 'rems.png') });
    assert.deepEqual(await driver.download(), text);
    await change(driver, 'backgroundColor', '7');
    assert.deepEqual(await driver.download(), replaced(text, Buffer.from('-5352967'), Buffer.from('7')));
    const binary = await corpus('rems/2026/01_scalars.binary.bin');
    await driver.open('scalars.bin', binary);
    await driver.search('int', 'value');
    assert.deepEqual(await driver.download(), binary);
    await checkAccessibility(page);
    await change(driver, 'in', '5');
    const [old, next] = [word(-516265).reverse(), word(5).reverse()]; // big-endian
    assert.deepEqual(await driver.download(), replaced(binary, old, next));
  },

  async 'a configuration file of Godot'(open, out) {
    const { driver, page } = await open();
    const file = await corpus('config/project.godot');
    await driver.open('project.godot', file);
    await change(driver, 'config_version', '6');
    assert.equal(String(await driver.download()), String(file).replace('config_version=5', 'config_version=6'));
    await driver.edit('6\nx=1');
    assert.match(await driver.message(), /not one value/);
    await page.screenshot({ path: join(out, 'configuration.png') });
    await checkAccessibility(page);
  },

  async 'an archive: a file in it opens'(open) {
    const { driver, page } = await open();
    await driver.open('v11.pak', await corpus('unreal-paks/v11.pak'));
    await page.click('.row .text');
    await driver.settle();
    assert.equal(await page.isVisible('#open-entry'), true);
    await checkAccessibility(page);
  },

  async 'formats on a narrow and dark screen'(open, out) {
    const { driver, page } = await open({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await driver.open('Slot1.sav', await corpus('unreal/gvas-ue4.27-Slot1.sav'));
    await page.screenshot({ path: join(out, 'unreal-narrow.png') });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await checkAccessibility(page);
  },

  async 'a large save stays responsive'(open, out) {
    const { driver, page } = await open();
    const path = join(out, 'large.sav');
    const { count, file } = await largeSave(SIZE);
    if ((await stat(path).catch(() => ({ size: 0 }))).size !== file.length) await writeFile(path, file);
    await driver.watch();
    const started = Date.now();
    await page.setInputFiles('#file', path);
    await driver.shown('large.sav');
    const opening = Date.now() - started;
    await page.click('.row:has-text("Heroes") .twist');
    await page.waitForFunction(() => document.getElementById('tree').getAttribute('aria-rowcount') > 1000, undefined, { timeout: 60_000 });
    const opened = Date.now() - started - opening;
    const scrolled = Date.now();
    for (let step = 1; step <= 10; step++) {
      await page.evaluate(step => { const tree = document.getElementById('tree'); tree.scrollTop = tree.scrollHeight * step / 10; }, step);
      await driver.settle();
    }
    const scrolling = (Date.now() - scrolled) / 10;
    const row = Math.floor(count / 2);
    await driver.press('End');
    const longest = await driver.longest();
    assert.ok(longest <= LONGEST_TASK, `${longest} ms`);
    return `${file.length >> 20} MiB, ${count} values; opened in ${opening} ms, the list in ${opened} ms, `
      + `${Math.round(scrolling)} ms per jump, longest task ${Math.round(longest)} ms (${row})`;
  },
};
