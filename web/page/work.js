// Long jobs of the worker, one at a time, with their progress.
import { start } from './calls.js';

export class Work {
  // The ids of the elements begin with `prefix`. `size()` returns the size of the opened file, and
  // `fail(message)` is called when a job has failed.
  constructor(prefix, size, fail) {
    const element = id => document.getElementById(prefix + id);
    Object.assign(this, { size, fail, job: null, box: element('work'), text: element('work-text'), bar: element('progress') });
  }

  cancel() {
    this.job?.cancel();
  }

  // Runs a job instead of the one before it. `onPart` is called with each intermediate result.
  async run(text, name, args, onPart = () => {}) {
    this.cancel();
    let drawn = 0;
    const own = start(name, args, part => {
      // Each change of the progress makes the browser lay out the page again.
      if (this.job === own && this.size() && performance.now() - drawn > 300) {
        drawn = performance.now();
        this.bar.value = part.offset / this.size();
      }
      onPart(part);
    });
    this.job = own;
    this.text.textContent = text;
    this.bar.removeAttribute('value');
    // Short jobs show no progress.
    const timer = setTimeout(() => { if (this.job === own) this.box.hidden = false; }, 150);
    try {
      return await own.result;
    } catch (error) {
      this.fail(error.message);
      return { failed: true };
    } finally {
      clearTimeout(timer);
      if (this.job === own) {
        this.job = null;
        this.box.hidden = true;
      }
    }
  }
}
