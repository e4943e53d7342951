// The jobs of the worker for captures. The file stays on disk: blocks of it are read when they are needed.
import start, { Capture } from './modules/captures.js';

export const { memory } = await start();

const reader = new FileReaderSync();
let file = null;
let capture = null;

// The file for Rust, which calls `read`.
const source = {
  read(offset, to) {
    try {
      const bytes = new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + to.length)));
      to.set(bytes);
      return bytes.length;
    } catch {
      return -1;
    }
  },
};

function open(all) {
  capture?.free();
  capture = new Capture(source, all);
}

export function openCapture(name, opened) {
  file = opened;
  open(false);
  return { capture: true, name, size: file.size, kinds: JSON.parse(Capture.kinds()) };
}

// Parses JSON. Integers that JavaScript would round stay as text.
const parse = text => JSON.parse(text, (_, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source) ? context.source : value);

// Maximum numbers of items of a container and characters of a text that are passed to the page. More would
// keep it busy.
const MAX_ITEMS = 1000;
const MAX_TEXT = 20_000;

function shortened(value) {
  const more = count => `… ${count.toLocaleString('en')} more`;
  if (typeof value === 'string') {
    return value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) + more(value.length - MAX_TEXT) : value;
  }
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  const kept = entries.slice(0, MAX_ITEMS).map(([key, item]) => [key, shortened(item)]);
  if (entries.length > MAX_ITEMS) kept.push(['…', more(entries.length - MAX_ITEMS)]);
  return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
}

// Exported text is collected in blobs of this length, which the browser can move out of memory.
const PIECE = 1 << 22;

export const captureJobs = (run, slices) => ({
  captureScan: id => run(id, slices(1 << 18, budget => capture.scan(budget))),
  captureStop: () => capture?.stop(),
  captureRestart: (_, all) => open(all),
  captureRows: (_, from, count) => JSON.parse(capture.rows(from, count)),
  captureDetails: (_, row) => shortened(parse(capture.details(row))),
  captureTimeline: () => JSON.parse(capture.timeline()),
  captureSummary: () => JSON.parse(capture.summary()),
  captureMemory: () => capture.memory(),
  captureBytes: (_, from, count) =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(from, from + count))),
  captureFilter(id, { all, kinds, text, peer, member, errors, from, to }) {
    capture.set_filter(all, kinds, text, peer, member, errors, from, to);
    return run(id, slices(1 << 18, budget => capture.filter(budget)));
  },
  async captureExport(id, csv) {
    capture.start_export(csv);
    const pieces = [];
    let texts = [];
    let length = 0;
    const step = slices(1 << 16, budget => capture.export(budget));
    const result = await run(id, () => {
      const part = step();
      texts.push(part.text);
      length += part.text.length;
      delete part.text;
      if (length > PIECE || part.done) {
        pieces.push(new Blob(texts));
        texts = [];
        length = 0;
      }
      return part;
    });
    return result.done && !result.error ? { blob: new Blob(pieces) } : result;
  },
});
