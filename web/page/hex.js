// The bytes of the content, in hexadecimal and as text.
import { call } from './calls.js';
import { Rows } from './rows.js';

const LINE = 22;
const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const narrow = matchMedia('(max-width: 800px)');

function character(byte) {
  const text = byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
  return escapes[text] ?? text;
}

export class Hex {
  // `onByte(offset)` is called when a byte is clicked. `job` is the job of the worker that returns bytes.
  constructor(host, onByte, job = 'bytes') {
    Object.assign(this, { host, job, size: 0, marks: [] });
    this.rows = new Rows(host, LINE, (from, count) => this.load(from, count), (line, index) => this.show(line, index));
    host.addEventListener('click', event => {
      const byte = event.target.closest('[data-at]');
      if (byte) onByte(Number(byte.dataset.at));
    });
    narrow.addEventListener('change', () => this.setSize(this.size));
  }

  get width() {
    return narrow.matches ? 8 : 16;
  }

  async load(from, count) {
    const width = this.width;
    const bytes = await call(this.job, from * width, count * width);
    const lines = [];
    for (let at = 0; at < bytes.length; at += width) lines.push(bytes.subarray(at, at + width));
    return lines;
  }

  // Returns the class of the mark at an offset, or an empty string.
  mark(at) {
    return this.marks.find(mark => at >= mark.from && at < mark.to)?.name ?? '';
  }

  show(bytes, index) {
    const start = index * this.width;
    const line = document.createElement('div');
    line.className = 'line';
    const classes = Array.from(bytes, (_, index) => this.mark(start + index));
    const parts = text => Array.from(bytes, (byte, index) =>
      `<b data-at=${start + index}${classes[index] && ` class=${classes[index]}`}>${text(byte)}</b>`).join('');
    // Parsing HTML is several times as fast as creating the elements one by one.
    line.innerHTML = `<span class=at>${start.toString(16).padStart(8, '0')}  </span>`
      + parts(byte => `${byte.toString(16).padStart(2, '0')} `)
      + '   '.repeat(this.width - bytes.length) + ' '
      + parts(character);
    return line;
  }

  setSize(size) {
    this.size = size;
    return this.rows.setTotal(Math.ceil(size / this.width));
  }

  // Marks ranges {from, to, name}, and shows the first one.
  setMarks(marks) {
    this.marks = marks;
    return marks.length ? this.rows.center(Math.floor(marks[0].from / this.width)) : this.rows.update();
  }
}
