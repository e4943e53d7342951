// Holds the file and does all work on it. The page sends {id, name, args} to start a job, and {cancel: id} to
// cancel it. It gets {id, progress} after each slice of a long job, then {id, result} or {id, failure}.
import { captureJobs, dropCapture, isCapture, openCapture } from './capture-jobs.js';
import init, { Page } from './gamewire_web.js';

let page = null;
let memory = null; // the memory of the module
let cancelled = 0; // the id of the last job that the user has cancelled
const ready = start();

async function start() {
  memory = (await init()).memory;
  dropCapture();
  page = new Page();
}

// Lets the worker receive messages between slices, such as a cancellation.
const channel = new MessageChannel();
let resume = null;
channel.port1.onmessage = () => resume();
function pause() {
  return new Promise(resolve => {
    resume = resolve;
    channel.port2.postMessage(0);
  });
}

// Runs slices of a long job until it is done, is cancelled or fails.
async function run(id, slice) {
  for (;;) {
    const part = slice();
    if (part.error || part.done || part.done === undefined) return part;
    postMessage({ id, progress: part });
    await pause();
    if (cancelled === id) return { cancelled: true };
  }
}

// Adjusts the budget of the slices, so that each takes about 50 ms.
function slices(first, step) {
  let budget = first;
  return () => {
    const start = performance.now();
    const part = JSON.parse(step(budget));
    const took = performance.now() - start;
    if (took < 25) budget = Math.min(budget * 2, 1 << 28);
    if (took > 100) budget = Math.max(budget >> 1, 64);
    return part;
  };
}

// Runs slices of an export, and returns its text as a blob.
async function toBlob(id, slice) {
  const parts = [];
  const result = await run(id, () => {
    const part = slice();
    parts.push(part.text);
    delete part.text;
    return part;
  });
  return result.done && !result.error ? { blob: new Blob(parts) } : result;
}

// Keeps a file that belongs to the opened one, or to the next one. Returns an empty object, or an error.
async function add(file) {
  return JSON.parse(page.add(file.name, new Uint8Array(await file.arrayBuffer())));
}

// The page shows only the first hits of a search. Passing all to it would take too long.
const SHOWN = 500;

const jobs = {
  ...captureJobs(run, slices),
  moduleMemory: () => memory.buffer.byteLength,
  async open(id, name, file, others = []) {
    // A capture can be larger than the memory of the module, so it is not read here.
    const blob = file instanceof Blob ? file : new Blob([file]);
    if (isCapture(new Uint8Array(await blob.slice(0, 4).arrayBuffer()))) return openCapture(name, blob);
    const buffer = file instanceof Blob ? await file.arrayBuffer() : file;
    for (const other of others) {
      const added = await add(other);
      if (added.error) return added;
    }
    if (cancelled === id) return { cancelled: true };
    return JSON.parse(page.open(name, new Uint8Array(buffer)));
  },
  // Opens the file again, with another file that belongs to it.
  async supply(_, file) {
    const added = await add(file);
    return added.error ? added : JSON.parse(page.reopen());
  },
  openEntry: (_, row) => JSON.parse(page.open_entry(row)),
  engine: (_, engine) => JSON.parse(page.choose_engine(engine)),
  saveSecond: () => page.save_second(),
  unlock: (_, password) => JSON.parse(page.unlock(password)),
  choose: (_, dialect, framing) => JSON.parse(page.choose(dialect, framing)),
  state: () => JSON.parse(page.state()),
  rows: (_, from, count) => JSON.parse(page.rows(from, count)),
  toggle: (_, row, open) => page.toggle(row, open),
  rowAt: (_, offset) => page.row_at(offset),
  reveal: (_, chain) => page.reveal(chain),
  bytes: (_, from, count) => page.bytes(from, count),
  value: (_, row, key) => ({ path: page.path(row), text: page.text(row, key) }),
  edit: (_, row, key, text) => JSON.parse(page.edit(row, key, text)),
  stepBack: (_, redo) => page.step_back(redo),
  save: () => page.save(crypto.getRandomValues(new Uint8Array(16))),
  search(id, needle, field) {
    page.start_search(needle.toLowerCase(), needle.toUpperCase(), field);
    const step = slices(1000, budget => page.search(budget));
    let count = 0;
    return run(id, () => {
      const part = step();
      const room = Math.max(0, SHOWN - count);
      count += part.hits?.length ?? 0;
      return { ...part, count, hits: part.hits?.slice(0, room) };
    });
  },
  // Compares the opened file with another one.
  async compare(id, name, file, password) {
    const buffer = await file.arrayBuffer();
    if (cancelled === id) return { cancelled: true };
    const opened = JSON.parse(page.compare(name, new Uint8Array(buffer), password));
    if (opened.needs || opened.error) return opened;
    return run(id, slices(1000, budget => page.diff(budget)));
  },
  check(id) {
    page.rewind();
    return run(id, slices(1 << 20, budget => page.check(budget)));
  },
  export(id) {
    page.rewind();
    return toBlob(id, slices(1 << 16, budget => page.export(budget)));
  },
  exportCsv(id) {
    page.start_csv();
    return toBlob(id, slices(1000, budget => page.csv(budget)));
  },
};

onmessage = async ({ data: { id, name, args, cancel } }) => {
  if (cancel) {
    cancelled = cancel;
    return;
  }
  try {
    await ready;
    const result = await jobs[name](id, ...args);
    postMessage({ id, result }, result instanceof Uint8Array ? [result.buffer] : []);
  } catch (error) {
    const fatal = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, failure: String(error.message ?? error), fatal });
  }
};
