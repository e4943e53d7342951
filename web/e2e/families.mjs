// Tests of the modules: a visit loads only what its file needs.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openCapture } from './captures.mjs';
import { dictionary, int, string } from './values.mjs';

const corpus = path => readFile(new URL(`../../corpus/${path}`, import.meta.url));
const modules = requests => [...new Set(requests.flatMap(path => path.match(/^modules\/(\w+)\.js$/)?.[1] ?? []))];

// The most that a visit may load, in bytes after gzip.
const LIMIT = 400_000;

// Returns the number of bytes of the files that were requested.
async function loaded(requests) {
  const sizes = [...new Set(requests)].map(async path => gzipSync(await readFile(join(process.env.PAGE, path || 'index.html')), { level: 9 }).length);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function openFile(driver, name, bytes) {
  if (name.endsWith('.pcap')) await openCapture(driver, name, bytes);
  else await driver.open(name, bytes);
}

async function message(page, text) {
  await page.waitForFunction(text => document.getElementById('message').textContent.includes(text), text);
}

// An archive (version 3) with one file, which is not compressed.
function pak(name, data) {
  const word = number => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(number);
    return bytes;
  };
  const long = number => Buffer.concat([word(number), word(0)]);
  const text = text => Buffer.concat([word(text.length + 1), Buffer.from(`${text}\0`)]);
  const hash = Buffer.alloc(20);
  const entry = Buffer.concat([long(0), long(data.length), long(data.length), word(0), hash, Buffer.from([0]), word(0)]);
  const index = Buffer.concat([text('../../../'), word(1), text(name), entry]);
  const footer = [word(0x5A6F12E1), word(3), long(entry.length + data.length), long(index.length), hash];
  return Buffer.concat([entry, data, index, ...footer]);
}

const FILES = {
  values: ['godot-files/4.6.3/plain.dat', 'godot-files/4.6.3/compressed_zstd.dat', 'config/project.godot', 'rems/2026/01_scalars.binary.bin'],
  unreal: ['unreal/gvas-ue4.27-Slot1.sav', 'unreal-small/palworld_PlZ1.sav', 'unreal-paks/v11.pak', 'unreal-mappings/tiny.v4.usmap'],
  captures: ['captures/enet.pcap'],
};

export const familyTests = {
  async 'families: each file loads only the modules that it needs'(open) {
    const figures = [];
    for (const [family, paths] of Object.entries(FILES)) {
      const { driver, requests } = await open();
      for (const path of paths) await openFile(driver, path.split('/').at(-1), await corpus(path));
      assert.deepEqual(modules(requests), ['recognition', family]);
      const isCapture = family === 'captures';
      for (const path of ['capture.js', 'capture.css', 'capture-jobs.js', 'ledger.js', 'timeline.js', 'packets.js', 'details.js']) {
        assert.equal(requests.includes(path), isCapture, `${family}: ${path}`);
      }
      const bytes = await loaded(requests);
      assert.ok(bytes <= LIMIT, `${family}: ${bytes} bytes`);
      figures.push(`${family} ${bytes.toLocaleString('en')}`);
    }
    return `gzipped bytes of each visit: ${figures.join(', ')}`;
  },

  async 'families: the start page loads no family'(open) {
    const { page, requests } = await open();
    await page.waitForFunction(async () => (await (await import('./calls.js')).call('state')) !== null);
    await page.waitForTimeout(200);
    assert.deepEqual(modules(requests), ['recognition']);
  },

  async 'families: files of other families after the first'(open) {
    const { driver, page, requests } = await open();
    const value = hp => dictionary([[string('hp'), int(hp)]]);
    const save = await corpus('unreal/gvas-ue4.27-Slot1.sav');
    for (let round = 0; round < 2; round++) {
      await driver.open('one.bin', value(5));
      await driver.select('hp');
      await driver.edit('7');
      assert.deepEqual(await driver.download(), value(7));
      await driver.open('Slot1.sav', save);
      assert.deepEqual(await driver.download(), save);
      await openCapture(driver, 'ws.pcap', await corpus('captures/ws.pcap'));
      assert.ok(await page.isHidden('#opened'));
    }
    // Each module was loaded once.
    assert.equal(requests.filter(path => path.endsWith('.wasm')).length, 4);
    // A file that cannot be read leaves the opened one as it is, whatever its family.
    await driver.open('Slot1.sav', save);
    await driver.drop('broken.bin', Buffer.from([1, 2, 3]));
    await message(page, 'not a format');
    assert.deepEqual(await driver.content(), save);
    // An encrypted file, too, until its password is given.
    await driver.drop('encrypted_pass.dat', await corpus('godot-files/4.6.3/encrypted_pass.dat'));
    await page.waitForSelector('#password-dialog[open]');
    assert.deepEqual(await driver.content(), save);
    await page.fill('#password', 'hunter2');
    await page.keyboard.press('Enter');
    await driver.shown('encrypted_pass.dat');
    assert.deepEqual(await driver.content(), await corpus('godot-files/4.6.3/plain.dat'));
  },

  async 'families: files of two families cannot be compared'(open) {
    const { driver, page } = await open();
    await driver.open('one.bin', dictionary([[string('hp'), int(5)]]));
    for (const [name, path] of [['Slot1.sav', 'unreal/gvas-ue4.27-Slot1.sav'], ['ws.pcap', 'captures/ws.pcap']]) {
      await page.setInputFiles('#other-file', { name, mimeType: '', buffer: await corpus(path) });
      await message(page, `${name}: this kind of file cannot be compared`);
    }
    assert.match(await page.textContent('#name'), /one\.bin/);
  },

  async 'families: an archived file of another family opens'(open) {
    const { driver, page, requests } = await open();
    const text = '[section]\n\nname="Ada"\n';
    await driver.open('one.pak', pak('save.cfg', Buffer.from(text)));
    await page.click('.row .text');
    await driver.settle();
    await page.click('#open-entry');
    await driver.shown('save.cfg');
    assert.equal(String(await driver.content()), text);
    assert.deepEqual(modules(requests), ['recognition', 'unreal', 'values']);
  },
};
