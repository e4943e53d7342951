// Tests of captures in the page.
import assert from 'node:assert/strict';
import { open as openFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LONGEST_TASK } from './driver.mjs';

const corpus = path => readFile(new URL(`../../corpus/${path}`, import.meta.url));

// Waits until a job has ended and the page shows its result.
async function ready(page, timeout = 120_000) {
  await page.waitForFunction(() => !document.getElementById('capture').hidden
    && document.getElementById('capture-work').hidden
    && /match|of games|cancelled|error|contains no/.test(document.getElementById('message').textContent), null, { timeout });
  await settle(page);
}

async function settle(page) {
  await page.evaluate(async () => {
    const { call } = await import('./calls.js');
    for (let round = 0; round < 4; round++) {
      await call('captureTimeline');
      await new Promise(resolve => requestAnimationFrame(resolve));
    }
  });
}

export async function openCapture(driver, name, bytes) {
  await driver.page.evaluate(() => { document.getElementById('message').textContent = ''; });
  await driver.drop(name, bytes);
  await driver.page.waitForFunction(name => document.getElementById('capture-name').textContent === name, name);
  await ready(driver.page);
}

async function count(page) {
  return Number((await page.textContent('#count')).replace(/\D/g, ''));
}

// Does something that filters the list, and returns the number of packets.
async function filtered(page, action) {
  await page.evaluate(() => { document.getElementById('message').textContent = ''; });
  await action();
  await ready(page);
  return count(page);
}

// Repeats a capture until it has `size` bytes. In each repetition, the client has the next one of 16 ports.
async function generate(path, name, size) {
  const file = await corpus(`captures/${name}.pcap`);
  const packets = [];
  for (let at = 24; at < file.length; at += 16 + file.readUInt32LE(at + 8)) packets.push(at);
  const seconds = file.readUInt32LE(packets.at(-1)) - file.readUInt32LE(packets[0]) + 1;
  const server = Math.min(file.readUInt16BE(packets[0] + 16 + 34), file.readUInt16BE(packets[0] + 16 + 36));
  const out = await openFile(path, 'w');
  await out.write(file.subarray(0, 24));
  const round = Buffer.from(file.subarray(24));
  for (let number = 0, length = 24; length < size; number++, length += round.length) {
    for (const at of packets) {
      const own = at - 24;
      round.writeUInt32LE(file.readUInt32LE(at) + number * seconds, own);
      for (const port of [own + 16 + 34, own + 16 + 36]) {
        if (file.readUInt16BE(port + 24) !== server) round.writeUInt16BE(40_000 + number % 16, port);
      }
    }
    await out.write(round);
  }
  await out.close();
}

async function checkAccessibility(page) {
  const violations = await page.evaluate(async () => (await axe.run()).violations);
  const text = violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join('\n')}`);
  assert.equal(violations.length, 0, text.join('\n'));
}

export const captureTests = {
  async 'captures: list, details, bytes'(open) {
    const { driver, page } = await open();
    const file = await corpus('captures/enet.pcap');
    await openCapture(driver, 'enet.pcap', file);
    assert.equal(await count(page), 652); // as `gamewire packets enet.pcap | wc -l`
    assert.match(await page.textContent('.packet[aria-selected=true]'), /127\.0\.0\.1/);
    await page.focus('#packets');
    for (const key of ['End', 'Home', 'PageDown', 'ArrowDown', 'ArrowUp']) {
      await page.keyboard.press(key);
      await settle(page);
    }
    const frame = await page.textContent('#packet dl');
    const [, length, at] = frame.match(/([\d,]+) bytes at ([\d,]+)/).map(text => Number(text.replaceAll(',', '')));
    const marked = await page.locator('#frame-hex b.key, #frame-hex b.marked').evaluateAll(all => all.map(byte => Number(byte.dataset.at)));
    assert.equal(Math.min(...marked), at);
    assert.ok(Math.max(...marked) < at + length);
    const byte = await page.textContent(`#frame-hex b[data-at="${at}"]`);
    assert.equal(parseInt(byte, 16), file[at]);
  },

  async 'captures: filters'(open) {
    const { driver, page } = await open();
    await openCapture(driver, 'enet.pcap', await corpus('captures/enet.pcap'));
    const all = await count(page);
    const calls = await filtered(page, () => page.selectOption('#kind', 'rpc'));
    assert.ok(calls > 0 && calls < all);
    const pings = await filtered(page, () => page.selectOption('#kind', 'ping'));
    assert.ok(pings > 0);
    const member = await filtered(page, async () => {
      await page.selectOption('#kind', '');
      await page.fill('#member', '/root/Main/Sync');
      await page.keyboard.press('Enter');
    });
    assert.ok(member > 0 && member < all);
    assert.match(await page.textContent('.packet .text'), /Main\/Sync/);
    const text = await filtered(page, async () => {
      await page.fill('#member', '');
      await page.fill('#line', 'Hello 7');
      await page.keyboard.press('Enter');
    });
    assert.ok(text > 0 && text < 20);
    assert.equal(await filtered(page, () => page.click('#capture-filter [type=reset]')), all);
    const everything = await filtered(page, () => page.check('#all'));
    assert.ok(everything > all);
    assert.equal(await filtered(page, () => page.uncheck('#all')), all);
    // A span of time, by mouse and by keyboard.
    const box = await page.locator('#timeline').boundingBox();
    const part = await filtered(page, async () => {
      await page.mouse.move(box.x + box.width / 4, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, box.y + 20);
      await page.mouse.up();
    });
    assert.ok(part > 0 && part < all, `${part}`);
    assert.equal(await filtered(page, () => page.click('#clear-span')), all);
    const first = await filtered(page, async () => {
      await page.fill('#span-to', '1');
      await page.keyboard.press('Tab');
    });
    assert.ok(first > 0 && first < all);
  },

  async 'captures: export'(open) {
    const { driver, page } = await open();
    await openCapture(driver, 'enet.pcap', await corpus('captures/enet.pcap'));
    const lines = (await driver.download('#packets-json')).toString().trim().split('\n').map(line => JSON.parse(line));
    assert.equal(lines.length, 652);
    const names = ['time', 'src', 'dst', 'transport', 'kind'];
    assert.ok(lines.every(line => names.every(name => line[name] !== undefined)));
    const calls = await filtered(page, () => page.selectOption('#kind', 'rpc'));
    const csv = (await driver.download('#packets-csv')).toString().trim().split('\n');
    assert.equal(csv.length, calls + 1);
    assert.match(csv[0], /^time,source,/);
  },

  async 'captures: each format, and a file that is cut off'(open) {
    const { driver, page } = await open();
    for (const name of ['ws', 'tcp', 'udp', 'relay', 'godot3_enet', 'pps']) {
      await openCapture(driver, `${name}.pcap`, await corpus(`captures/${name}.pcap`));
      assert.ok(await count(page) > 10, name);
    }
    const file = await corpus('captures/ws.pcap');
    await openCapture(driver, 'cut.pcap', file.subarray(0, 5000));
    assert.match(await driver.message(), /ends inside a record/);
    assert.ok(await page.locator('#frame-hex b.fault').count() > 0);
    await page.click('#tab-ledger');
    await page.waitForSelector('#ledger table:nth-of-type(5)');
    // A file of another format.
    await driver.open('plain.dat', await corpus('godot-files/4.6.3/plain.dat'));
    assert.ok(await page.isHidden('#capture'));
  },

  async 'captures: a job that another one replaces ends'(open, out) {
    const { page } = await open();
    const path = join(out, 'medium.pcap');
    await generate(path, 'enet', 5e6);
    await page.setInputFiles('#file', path);
    await ready(page);
    const results = await page.evaluate(async () => {
      const { start } = await import('./calls.js');
      const filter = { all: false, kinds: 0, text: 'no such text', peer: '', member: '', errors: false, from: 0, to: -1 };
      const jobs = [1, 2, 3].map(() => start('captureFilter', [filter]));
      for (const job of jobs.slice(0, 2)) job.cancel();
      return Promise.all(jobs.map(job => job.result));
    });
    assert.deepEqual(results.map(result => !!result.cancelled), [true, true, false]);
    assert.equal(results[2].rows, 0);
  },

  async 'captures: 500 MB stay responsive'(open, out) {
    const { driver, page } = await open();
    const path = join(out, 'large.pcap');
    await generate(path, 'enet', 500e6);
    await driver.watch();
    const longest = {};
    const times = {};
    const step = async (name, action) => {
      const start = performance.now();
      await action();
      times[name] = Math.round(performance.now() - start);
      longest[name] = Math.round(await driver.longest());
    };
    await step('open', async () => {
      await page.setInputFiles('#file', path);
      await page.waitForSelector('.packet');
    });
    await step('read', () => ready(page, 600_000));
    const rows = await count(page);
    await page.focus('#packets');
    await step('end', async () => {
      await page.keyboard.press('End');
      await settle(page);
    });
    await step('scroll', async () => {
      await page.mouse.move(300, 500);
      for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 5000);
      await settle(page);
      await page.evaluate(() => { document.getElementById('packets').scrollTop = 4e6; });
      await settle(page);
    });
    await step('filter by kind', () => filtered(page, () => page.selectOption('#kind', 'rpc')));
    await step('filter by text', () => filtered(page, async () => {
      await page.fill('#line', 'nothing like this');
      await page.selectOption('#kind', '');
    }));
    assert.equal(await count(page), 0);
    await step('cancel', () => filtered(page, async () => {
      await page.fill('#line', 'nothing like that');
      await page.keyboard.press('Enter');
      await page.click('#capture-cancel', { timeout: 5000 }).catch(error => { throw new Error(`${JSON.stringify(times)}: ${error}`); });
    }));
    assert.match(await driver.message(), /cancelled/);
    await step('ledger', async () => {
      await page.click('#tab-ledger');
      await page.waitForSelector('#ledger table:nth-of-type(6)');
      await settle(page);
    });
    const memory = await page.evaluate(async () => {
      const { call } = await import('./calls.js');
      return [await call('captureMemory'), await call('moduleMemory')];
    });
    const [checkpoints, module] = memory.map(bytes => Math.round(bytes / 1e6));
    const worst = Math.max(...Object.values(longest));
    assert.ok(worst <= LONGEST_TASK, `a task of ${worst} ms: ${JSON.stringify(longest)}`);
    return `${rows} packets, longest task ${worst} ms, ${JSON.stringify(times)} ms, memory of the module ${module} MB, of checkpoints ${checkpoints} MB`;
  },

  async 'captures: accessibility and screenshots'(open, out) {
    const file = await corpus('captures/enet.pcap');
    for (const scheme of ['light', 'dark']) {
      const views = { wide: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };
      for (const [view, viewport] of Object.entries(views)) {
        const { driver, page } = await open({ viewport, colorScheme: scheme });
        const shoot = name => page.screenshot({ path: join(out, `${name}-${view}-${scheme}.png`) });
        await openCapture(driver, 'enet.pcap', file);
        await page.locator('.packet').nth(5).click();
        await settle(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} pixels wider than the window`);
        await checkAccessibility(page);
        await shoot('capture');
        await page.click('#tab-ledger');
        await page.waitForSelector('#ledger table:nth-of-type(6)');
        await checkAccessibility(page);
        await shoot('ledger');
      }
    }
  },
};
