// Drives the page as a user does.
import { readFile } from 'node:fs/promises';

// Longest task of the main thread that is accepted, in milliseconds.
export const LONGEST_TASK = 100;

export class Driver {
  constructor(page) {
    this.page = page;
  }

  // Drops a file on the page. Does not wait until it is shown.
  async drop(name, bytes) {
    await this.page.evaluate(() => { document.getElementById('name').textContent = ''; });
    // `pick` opens large files, because the bytes are passed as base64 here.
    const data = await this.page.evaluateHandle(async ([name, base64]) => {
      const binary = atob(base64);
      const bytes = Uint8Array.from(binary, char => char.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], name));
      return data;
    }, [name, Buffer.from(bytes).toString('base64')]);
    await this.page.dispatchEvent('body', 'drop', { dataTransfer: data });
  }

  async pick(path, name) {
    await this.page.setInputFiles('#file', path);
    await this.shown(name);
  }

  async shown(name, timeout = 15_000) {
    await this.page.waitForFunction(name => document.getElementById('name').textContent === name
      && document.getElementById('work').hidden && document.querySelector('.row'), name, { timeout });
    await this.settle();
  }

  async open(name, bytes) {
    await this.drop(name, bytes);
    await this.shown(name);
  }

  // Waits until the page shows the result of an action: for a few answers of the worker and as many frames.
  async settle() {
    await this.page.evaluate(async () => {
      const { call } = await import('./calls.js');
      for (let round = 0; round < 4; round++) {
        await call('state');
        await new Promise(resolve => requestAnimationFrame(resolve));
      }
    });
  }

  async press(key) {
    await this.page.focus('#tree');
    await this.page.keyboard.press(key);
    await this.settle();
  }

  // Selects the first hit of a search by path.
  async select(path) {
    await this.search(path, 'path');
    await this.page.click('#hits-list button');
    await this.settle();
    await this.page.click('#close-hits');
  }

  async search(needle, field) {
    await this.page.fill('#needle', needle);
    await this.page.selectOption('#field', field);
    await this.page.click('#search button');
    await this.page.waitForFunction(() => / found/.test(document.getElementById('message').textContent));
    await this.settle();
  }

  async edit(text) {
    await this.page.fill('#value', text);
    await this.page.click('#apply');
    await this.settle();
  }

  message() {
    return this.page.textContent('#message');
  }

  async download(button = '#save') {
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.page.click(button)]);
    return readFile(await download.path());
  }

  // Returns the content as the worker has it.
  async content() {
    const base64 = await this.page.evaluate(async () => {
      const { call } = await import('./calls.js');
      const bytes = await call('bytes', 0, 2 ** 31);
      let binary = '';
      for (const byte of bytes) binary += String.fromCharCode(byte);
      return btoa(binary);
    });
    return Buffer.from(base64, 'base64');
  }

  // Forgets the tasks of the main thread that were measured so far.
  async watch() {
    await this.page.evaluate(() => { window.tasks = []; });
  }

  // Returns the duration of the longest task since the last call, in milliseconds. Returns 0 if none took 50 ms.
  longest() {
    return this.page.evaluate(() => Math.max(0, ...window.tasks.splice(0)));
  }
}

// Measures the long tasks of the main thread. Runs in the page before its own scripts.
export function measureTasks() {
  window.tasks = [];
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.tasks.push(entry.duration);
  }).observe({ type: 'longtask', buffered: true });
}
