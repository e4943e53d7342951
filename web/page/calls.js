// Calls to the worker.
const worker = new Worker('worker.js', { type: 'module' });
const waiting = new Map();
let last = 0;

worker.onmessage = ({ data: { id, result, progress, failure } }) => {
  const call = waiting.get(id);
  if (!call) return;
  if (progress !== undefined) {
    call.progress?.(progress);
    return;
  }
  waiting.delete(id);
  if (failure === undefined) call.resolve(result);
  else call.reject(new Error(failure));
};

// Starts a job of the worker. `progress` is called with each intermediate result.
export function start(name, args, progress) {
  const id = ++last;
  const result = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, progress }));
  worker.postMessage({ id, name, args });
  return { result, cancel: () => worker.postMessage({ cancel: id }) };
}

export const call = (name, ...args) => start(name, args).result;
