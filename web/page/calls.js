// Calls to the worker.
let worker = null;
const waiting = new Map();
let last = 0;

function launch() {
  worker = new Worker('worker.js', { type: 'module' });
  worker.onmessage = receive;
}

function receive({ data: { id, result, progress, failure, fatal } }) {
  const call = waiting.get(id);
  if (fatal) {
    // The memory of the worker is in an unknown state, so the file is given up.
    worker.terminate();
    launch();
    for (const other of waiting.values()) other.reject(new Error(failure));
    waiting.clear();
    dispatchEvent(new Event('lost'));
  }
  if (!call) return;
  if (progress !== undefined) {
    call.progress?.(progress);
    return;
  }
  waiting.delete(id);
  if (failure === undefined) call.resolve(result);
  else call.reject(new Error(failure));
}

launch();

// Starts a job of the worker. `progress` is called with each intermediate result.
export function start(name, args, progress) {
  const id = ++last;
  const result = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, progress }));
  worker.postMessage({ id, name, args });
  return { result, cancel: () => worker.postMessage({ cancel: id }) };
}

export const call = (name, ...args) => start(name, args).result;
