// The tests of the page. Each gets a function that opens the page, and the folder for screenshots.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LONGEST_TASK } from './driver.mjs';
import { array, dictionary, int, player, players, string } from './values.mjs';

const corpus = path => readFile(new URL(`../../corpus/${path}`, import.meta.url));

async function checkAccessibility(page) {
  const violations = await page.evaluate(async () => (await axe.run()).violations);
  const text = violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join('\n')}`);
  assert.equal(violations.length, 0, text.join('\n'));
}

// Opens a file, edits a value, and returns the file that the page writes.
async function edited(driver, name, bytes, path, text) {
  await driver.open(name, bytes);
  await driver.select(path);
  await driver.edit(text);
  assert.equal(await driver.message(), 'Changed.');
  return driver.download();
}

export const tests = {
  async 'a value: only the edited bytes change'(open) {
    const { driver, page } = await open();
    const value = hp => dictionary([[string('name'), string('Ada')], [string('hp'), int(hp)]]);
    assert.deepEqual(await edited(driver, 'one.bin', value(5), 'hp', '7'), value(7));
    await driver.select('name');
    await driver.edit('"Barbara"');
    const longer = dictionary([[string('name'), string('Barbara')], [string('hp'), int(7)]]);
    assert.deepEqual(await driver.download(), longer);
    await page.click('#edit-key');
    await driver.settle();
    await driver.edit('"title"');
    const renamed = dictionary([[string('title'), string('Barbara')], [string('hp'), int(7)]]);
    assert.deepEqual(await driver.download(), renamed);
    for (const expected of [longer, value(7), value(5)]) {
      await page.click('#undo');
      await driver.settle();
      assert.deepEqual(await driver.download(), expected);
    }
    for (const expected of [value(7), longer, renamed]) {
      await page.click('#redo');
      await driver.settle();
      assert.deepEqual(await driver.download(), expected);
    }
    await driver.edit('Barbara');
    assert.match(await driver.message(), /needs quotes/);
  },

  async 'frames: the length of the frame follows the edit'(open) {
    const { driver } = await open();
    const file = Buffer.concat([player(0), player(1), player(2)]);
    const saved = await edited(driver, 'frames.dat', file, '1/items/0', '"a longer sword"');
    const frame = Buffer.concat([player(1)]);
    const at = frame.indexOf(string('sword'));
    const changed = Buffer.concat([
      frame.subarray(0, at), string('a longer sword'), frame.subarray(at + string('sword').length),
    ]);
    changed.writeUInt32LE(changed.length - 4);
    assert.deepEqual(saved, Buffer.concat([player(0), changed, player(2)]));
  },

  async 'big-endian frames of an engine'(open) {
    const { driver, page } = await open();
    const file = await corpus('godot-files/4.6.3/plain_be.dat');
    await driver.open('plain_be.dat', file);
    assert.match(await page.textContent('#format'), /big-endian/);
    assert.deepEqual(await driver.download(), file);
  },

  async 'packed arrays'(open) {
    const { driver } = await open();
    const ints = numbers => {
      const bytes = Buffer.alloc(8 + 4 * numbers.length);
      bytes.writeUInt32LE(30);
      bytes.writeUInt32LE(numbers.length, 4);
      numbers.forEach((number, index) => bytes.writeInt32LE(number, 8 + 4 * index));
      return bytes;
    };
    const value = numbers => dictionary([[string('ids'), ints(numbers)]]);
    const saved = await edited(driver, 'ids.bin', value([1, 2, 3]), 'ids/1', '-9');
    assert.deepEqual(saved, value([1, -9, 3]));
  },

  async 'compressed files: each compression'(open) {
    const { driver } = await open();
    const plain = await corpus('godot-files/4.6.3/plain.dat');
    for (const mode of ['fastlz', 'deflate', 'zstd', 'gzip']) {
      const file = await corpus(`godot-files/4.6.3/compressed_${mode}.dat`);
      await driver.open('save.dat', file);
      assert.deepEqual(await driver.content(), plain, mode);
      assert.deepEqual(await driver.download(), file, mode);
      await driver.select('0/name');
      const before = await driver.content();
      await driver.edit('"changed"');
      const after = await driver.content();
      assert.notDeepEqual(after, before, mode);
      const saved = await driver.download();
      assert.notDeepEqual(saved, file, mode);
      await driver.open('again.dat', saved);
      assert.deepEqual(await driver.content(), after, mode);
    }
  },

  async 'encrypted files: password and key'(open) {
    const { driver, page } = await open();
    const plain = await corpus('godot-files/4.6.3/plain.dat');
    const key = Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)).toString('hex');
    for (const [name, password] of [['encrypted_pass.dat', 'hunter2'], ['encrypted_key.dat', key]]) {
      const file = await corpus(`godot-files/4.6.3/${name}`);
      await driver.drop(name, file);
      await page.waitForSelector('#password-dialog[open]');
      await page.fill('#password', 'wrong');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.getElementById('message').className === 'bad');
      await driver.drop(name, file);
      await page.waitForSelector('#password-dialog[open]');
      await page.fill('#password', password);
      await page.keyboard.press('Enter');
      await driver.shown(name);
      assert.deepEqual(await driver.content(), plain);
      await driver.select('0/name');
      await driver.edit('"changed"');
      const after = await driver.content();
      const saved = await driver.download();
      assert.equal(saved.subarray(0, 4).toString(), 'GDEC');
      await driver.drop('again.dat', saved);
      await page.waitForSelector('#password-dialog[open]');
      await page.fill('#password', password);
      await page.keyboard.press('Enter');
      await driver.shown('again.dat');
      assert.deepEqual(await driver.content(), after);
    }
  },

  async 'pasted bytes'(open) {
    const { driver, page } = await open();
    for (const text of [int(5).toString('hex'), int(5).toString('base64')]) {
      await page.click('#paste');
      await page.fill('#pasted', text);
      await page.click('#paste-dialog .primary');
      await driver.shown('pasted.bin');
      assert.deepEqual(await driver.download(), int(5));
    }
  },

  async 'keyboard, and a byte selects its value'(open) {
    const { driver, page } = await open();
    await driver.open('one.bin', dictionary([[string('list'), array([int(1), int(2)])]]));
    await driver.press('ArrowDown');
    await driver.press('ArrowRight');
    await driver.press('ArrowDown');
    await driver.press('ArrowDown');
    assert.match(await page.textContent('#where'), /^0\/list\/1 /);
    await driver.press('ArrowLeft');
    assert.match(await page.textContent('#where'), /^0\/list /);
    await driver.press('ArrowLeft');
    assert.equal(await page.locator('.row').count(), 2);
    await page.click('#hex b[data-at="30"]');
    await driver.settle();
    assert.match(await page.textContent('#where'), /^0\/list\/0 /);
    assert.equal(await page.locator('#hex b.marked').count(), 16); // in hexadecimal and as text
  },

  async 'errors lead to their bytes'(open) {
    const { driver, page } = await open();
    const file = array([int(1), array([int(2), Buffer.from([99, 0, 0, 0])])]);
    await driver.open('broken.bin', file);
    await page.click('#check');
    await page.waitForSelector('#message.bad');
    await page.click('#message button');
    await driver.settle();
    assert.equal(await page.locator('#hex b.fault').first().getAttribute('data-at'), String(file.length - 4));
  },

  async 'export as JSON'(open) {
    const { driver } = await open();
    await driver.open('plain.dat', await corpus('godot-files/4.6.3/plain.dat'));
    const lines = (await driver.download('#export')).toString().trim().split('\n').map(line => JSON.parse(line));
    assert.equal(lines.length, 6);
  },

  async 'export as CSV'(open) {
    const { driver } = await open();
    await driver.open('one.bin', dictionary([[string('name'), string('Ada')], [string('hp'), int(7)]]));
    const table = (await driver.download('#export-csv')).toString();
    assert.equal(table, 'path,type,value,offset,length\r\n0/name,String,"""Ada""",20,12\r\n0/hp,int,7,44,8\r\n');
  },

  async 'two files are compared'(open, out) {
    const { driver, page } = await open();
    const file = hp => dictionary([[string('name'), string('Ada')], [string('hp'), int(hp)]]);
    const other = join(out, 'other.bin');
    await writeFile(other, file(9));
    await driver.open('one.bin', file(7));
    await page.setInputFiles('#other-file', other);
    await page.waitForSelector('#differences-rows tr');
    assert.deepEqual(await page.locator('#differences-rows tr > *').allTextContents(), ['0/hp', '7', '9']);
    await checkAccessibility(page);
    await page.screenshot({ path: join(out, 'differences.png') });
    await page.click('#differences-rows button');
    await driver.settle();
    assert.match(await page.textContent('#where'), /^0\/hp /);
    await writeFile(other, file(7));
    await page.setInputFiles('#other-file', other);
    await page.waitForFunction(() => /same values/.test(document.getElementById('message').textContent));
    assert.ok(await page.locator('#differences').isHidden());
  },

  async 'a file of 70 MB stays responsive'(open, out) {
    const { driver, page } = await open();
    const path = join(out, 'large.dat');
    const file = players(70e6);
    await writeFile(path, file);
    await driver.watch();
    // The longest task of each step.
    const longest = {};
    const step = async name => { longest[name] = Math.round(await driver.longest()); };
    const start = performance.now();
    await driver.pick(path, 'large.dat');
    await step('open');
    const opened = performance.now() - start;
    for (const key of ['ArrowRight', 'PageDown', 'PageDown', 'End', 'Home']) await driver.press(key);
    await page.mouse.move(300, 400);
    for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 5000);
    await driver.settle();
    await page.evaluate(() => { document.getElementById('tree').scrollTop = 4e6; });
    await driver.settle();
    await step('scroll');
    const searchStart = performance.now();
    await driver.search('player 300000', 'value');
    const searched = performance.now() - searchStart;
    await step('search');
    await page.click('#hits-list button');
    await driver.settle();
    await step('reveal');
    await driver.edit('"the final one"');
    assert.equal(await driver.message(), 'Changed.');
    await step('edit');
    await page.click('#check');
    await page.waitForFunction(() => /well-formed/.test(document.getElementById('message').textContent), null, { timeout: 60_000 });
    await step('check');
    // A search of all values that the user cancels.
    await page.fill('#needle', 'nothing like this');
    await page.selectOption('#field', 'any');
    await page.click('#search button');
    await page.click('#cancel');
    assert.equal(await driver.message(), 'Cancelled.');
    await driver.settle();
    await step('cancel');
    const saved = await driver.download();
    assert.equal(saved.length, file.length);
    await step('download');
    const worst = Math.max(...Object.values(longest));
    assert.ok(worst <= LONGEST_TASK, `a task of ${worst} ms: ${JSON.stringify(longest)}`);
    return `longest task ${worst} ms, opened in ${Math.round(opened)} ms, searched in ${Math.round(searched)} ms`;
  },

  async 'accessibility and screenshots'(open, out) {
    const file = await corpus('godot-files/4.6.3/plain.dat');
    for (const scheme of ['light', 'dark']) {
      const views = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
      for (const [view, viewport] of Object.entries(views)) {
        const { driver, page } = await open({ viewport, colorScheme: scheme });
        const shoot = name => page.screenshot({ path: join(out, `${name}-${view}-${scheme}.png`) });
        await checkAccessibility(page);
        await shoot('start');
        await driver.open('save.dat', file);
        await driver.search('s', 'any');
        await page.click('#hits-list li:last-child button');
        await driver.settle();
        await checkAccessibility(page);
        await shoot('values');
        await page.click('#paste');
        await checkAccessibility(page);
        await shoot('paste');
      }
    }
  },
};
