// Packets or bytes over time, as stacked bars. Dragging selects a span of time.
import { counted, size } from './bytes.js';

const HEIGHT = 72;
// Kinds beyond these share one colour.
const COLOURS = 7;
const svg = (name, attributes) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
const seconds = nanoseconds => `${(nanoseconds / 1e9).toLocaleString('en', { maximumFractionDigits: 3 })} s`;

export class Timeline {
  // `onSpan(from, to)` is called when a span is selected, with nanoseconds since the first packet.
  constructor(host, legend, text, onSpan) {
    Object.assign(this, { host, legend, text, onSpan, data: null, by: 'kind', unit: 'packets', span: null });
    let start = null;
    const at = event => Math.max(0, Math.min(1, (event.clientX - host.getBoundingClientRect().left) / host.clientWidth));
    host.addEventListener('pointerdown', event => {
      if (!this.data?.count || event.button) return;
      start = at(event);
      host.setPointerCapture(event.pointerId);
    });
    host.addEventListener('pointermove', event => start !== null && this.mark(start, at(event)));
    host.addEventListener('pointercancel', () => {
      start = null;
      this.setSpan(this.span);
    });
    host.addEventListener('pointerup', event => {
      if (start === null) return;
      const [from, to] = [start, at(event)].sort((a, b) => a - b);
      start = null;
      const { count, width } = this.data;
      const first = Math.min(count - 1, Math.floor(from * count));
      const last = Math.min(count, Math.max(first + 1, Math.ceil(to * count)));
      this.onSpan(first * width, last * width - 1);
    });
  }

  // Shows data. `hidden` has the names of kinds that are not shown.
  show(data, hidden) {
    const isShown = ({ name, isKind }) => isKind === (this.by === 'kind') && !(isKind && hidden.includes(name));
    const columns = data.columns.filter(isShown);
    const count = Math.max(0, ...data.columns.map(column => column.packets.length));
    this.data = { ...data, count };
    const sum = column => column[this.unit].reduce((all, next) => all + next, 0);
    const sorted = columns.map(column => ({ name: column.name, values: column[this.unit], sum: sum(column) }))
      .sort((a, b) => b.sum - a.sum);
    const series = sorted.slice(0, sorted.length > COLOURS + 1 ? COLOURS : COLOURS + 1);
    const others = sorted.slice(series.length);
    if (others.length) {
      const values = Array.from({ length: count }, (_, index) => others.reduce((all, { values }) => all + (values[index] ?? 0), 0));
      series.push({ name: 'other kinds', values, sum: others.reduce((all, { sum }) => all + sum, 0) });
    }
    this.draw(series);
    this.describe(series);
    this.setSpan(this.span);
  }

  draw(series) {
    const { count } = this.data;
    const most = Math.max(1, ...Array.from({ length: count }, (_, index) => series.reduce((all, { values }) => all + (values[index] ?? 0), 0)));
    const picture = svg('svg', { viewBox: `0 0 ${Math.max(1, count)} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    const base = new Array(count).fill(0);
    series.forEach(({ values }, colour) => {
      // One path for each kind, because an element for each bar would be slow.
      let path = '';
      values.forEach((value, index) => {
        if (!value) return;
        const height = Math.max(0.5, value / most * (HEIGHT - 4));
        base[index] += height;
        path += `M${index} ${(HEIGHT - base[index]).toFixed(2)}h1v${height.toFixed(2)}h-1z`;
      });
      picture.append(svg('path', { d: path, class: `colour${colour}` }));
    });
    this.band = svg('rect', { y: 0, height: HEIGHT, class: 'band', width: 0 });
    picture.append(this.band);
    this.host.replaceChildren(picture);
    this.legend.replaceChildren(...series.map(({ name, sum }, colour) => {
      const item = document.createElement('li');
      const swatch = document.createElement('span');
      swatch.className = `swatch colour${colour}`;
      item.append(swatch, `${name}: ${this.unit === 'bytes' ? size(sum) : sum.toLocaleString('en')}`);
      return item;
    }));
  }

  describe(series) {
    const { count, width } = this.data;
    const bars = Array.from({ length: count }, (_, index) => series.reduce((all, { values }) => all + (values[index] ?? 0), 0));
    const most = Math.max(0, ...bars);
    this.text.textContent = count
      ? `${seconds(count * width)}, ${seconds(width)} for each bar; most: ${this.unit === 'bytes' ? size(most) : counted(most, 'packet')} at ${seconds(bars.indexOf(most) * width)}`
      : 'No packets with a time.';
  }

  mark(from, to) {
    const { count } = this.data;
    this.band?.setAttribute('x', Math.min(from, to) * count);
    this.band?.setAttribute('width', Math.max(0, Math.abs(to - from) * count));
  }

  // Shows the span {from, to} that is selected, or none.
  setSpan(span) {
    this.span = span;
    if (!this.data) return;
    const total = this.data.count * this.data.width || 1;
    if (span) this.mark(span.from / total, Math.min(1, span.to / total));
    else this.mark(0, 0);
  }
}
