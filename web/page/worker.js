// Holds the file and does all work on it. The page sends {id, name, args} to start a job, and {cancel: id} to
// cancel it. It gets {id, progress} after each slice of a long job, then {id, result} or {id, failure}.
//
// Each family of formats has a module of its own, in WebAssembly. A small module finds out to which family a
// file belongs. Only the modules of files that were opened are loaded.
import startRecognition, { family, head_size, tail_size } from './modules/recognition.js';

const pages = {}; // promises of the objects for files of a family, each with the memory of its module
let page = null; // the object with the opened file
let memory = null; // the memory of the module that was used last
const running = new Set(); // the ids of jobs that are not cancelled
const ready = startRecognition();

// Returns the object for files of a family.
function load(name) {
  pages[name] ??= import(`./modules/${name}.js`).then(async module => {
    const { memory } = await module.default();
    return { page: new module.Page(), memory };
  });
  return pages[name].catch(error => {
    delete pages[name];
    notLoaded(error);
  });
}

function notLoaded(error) {
  throw new Error(`a part of the page could not be loaded: ${error.message}`);
}

async function familyOf(name, file) {
  await ready;
  const bytes = async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer());
  const head = await bytes(0, head_size());
  return family(name, head, await bytes(Math.max(0, file.size - tail_size()), file.size));
}

async function openCapture(id, name, file) {
  const captures = await import('./capture-jobs.js').catch(notLoaded);
  if (!running.has(id)) return { cancelled: true };
  Object.assign(jobs, captures.captureJobs(run, slices));
  memory = captures.memory;
  return captures.openCapture(name, file);
}

// Makes another object that of the opened file. The file before it is closed.
function use(loaded) {
  if (page !== loaded.page) page?.close();
  ({ page, memory } = loaded);
}

// Lets the worker receive messages between slices, such as a cancellation.
const channel = new MessageChannel();
const paused = [];
channel.port1.onmessage = () => paused.shift()();
function pause() {
  return new Promise(resolve => {
    paused.push(resolve);
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
    if (!running.has(id)) return { cancelled: true };
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
async function add(to, file) {
  return JSON.parse(to.add(file.name, new Uint8Array(await file.arrayBuffer())));
}

// Keeps files that belong to a file of this family. Other families have no such files.
async function addAll(name, to, files) {
  for (const file of name === 'unreal' ? files : []) {
    const added = await add(to, file);
    if (added.error) return added;
  }
  return {};
}

// The page shows only the first hits of a search. Passing all to it would take too long.
const SHOWN = 500;

const jobs = {
  moduleMemory: () => memory.buffer.byteLength,
  async open(id, name, file, others = []) {
    const blob = file instanceof Blob ? file : new Blob([file]);
    const own = await familyOf(name, blob);
    // A capture can be larger than the memory of the module, so it is not read here.
    if (own === 'captures') return openCapture(id, name, blob);
    const loaded = await load(own);
    const added = await addAll(own, loaded.page, others);
    if (added.error) return added;
    const bytes = new Uint8Array(file instanceof Blob ? await file.arrayBuffer() : file);
    if (!running.has(id)) return { cancelled: true };
    const opened = JSON.parse(loaded.page.open(name, bytes));
    if (!opened.error && !opened.needs) use(loaded);
    return opened;
  },
  async unlock(_, password) {
    const loaded = await load('values');
    const opened = JSON.parse(loaded.page.unlock(password));
    if (!opened.error) use(loaded);
    return opened;
  },
  // Opens the file again, with another file that belongs to it.
  async supply(id, file) {
    const added = await add(page, file);
    if (!running.has(id)) return { cancelled: true };
    return added.error ? added : JSON.parse(page.reopen());
  },
  // Opens a file in the opened archive.
  async openEntry(id, row) {
    const entry = JSON.parse(page.extract(row));
    if (entry.error) return entry;
    return jobs.open(id, entry.name, page.take_entry().buffer);
  },
  engine: (_, engine) => JSON.parse(page.choose_engine(engine)),
  saveSecond: () => page.save_second(),
  choose: (_, dialect, framing) => JSON.parse(page.choose(dialect, framing)),
  state: () => page ? JSON.parse(page.state()) : {},
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
  // Compares the opened file with another one. `others` are files that belong to the other one.
  async compare(id, name, file, others, password) {
    const own = await familyOf(name, file);
    const loaded = own === 'captures' ? {} : await pages[own];
    if (loaded?.page !== page) return { error: { text: 'this kind of file cannot be compared with the opened one' } };
    const added = await addAll(own, page, others);
    if (added.error) return added;
    const buffer = await file.arrayBuffer();
    if (!running.has(id)) return { cancelled: true };
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
    running.delete(cancel);
    return;
  }
  running.add(id);
  try {
    const result = await jobs[name](id, ...args);
    postMessage({ id, result }, result instanceof Uint8Array ? [result.buffer] : []);
  } catch (error) {
    const fatal = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, failure: String(error.message ?? error), fatal });
  } finally {
    running.delete(id);
  }
};
