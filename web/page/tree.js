// The tree of values.
import { call } from './calls.js';
import { Rows } from './rows.js';

const ROW = 24;

export class Tree {
  // `onSelect(row, index)` is called when a row is selected, and `onEdit()` when the user wants to edit it.
  constructor(host, onSelect, onEdit) {
    Object.assign(this, { host, onSelect, onEdit, selected: -1, shown: new Map() });
    this.rows = new Rows(host, ROW, (from, count) => this.load(from, count), (row, index) => this.show(row, index));
    host.addEventListener('keydown', event => this.key(event));
    host.addEventListener('click', event => this.click(event));
    host.addEventListener('dblclick', event => event.target.closest('.row') && this.onEdit());
  }

  async load(from, count) {
    const rows = await call('rows', from, count);
    this.shown.clear();
    rows.forEach((row, index) => this.shown.set(from + index, row));
    return rows;
  }

  show(row, index) {
    const element = document.createElement('div');
    element.className = row.kind === 'malformed' ? 'row bad' : 'row';
    element.id = `row${index}`;
    element.dataset.index = index;
    element.setAttribute('role', 'row');
    element.setAttribute('aria-level', row.depth + 1);
    element.setAttribute('aria-rowindex', index + 1);
    element.setAttribute('aria-posinset', row.index + 1);
    element.setAttribute('aria-setsize', row.siblings);
    element.setAttribute('aria-selected', index === this.selected);
    if (row.canOpen) element.setAttribute('aria-expanded', !!row.isOpen);
    const cell = (name, text) => {
      const part = document.createElement('span');
      part.className = name;
      part.setAttribute('role', 'gridcell');
      part.textContent = text;
      element.append(part);
      return part;
    };
    const label = cell('label', row.label);
    label.style.setProperty('--depth', row.depth);
    label.title = row.label;
    const twist = document.createElement('span');
    twist.className = 'twist';
    twist.setAttribute('aria-hidden', 'true');
    twist.textContent = row.canOpen ? (row.isOpen ? '▾' : '▸') : '';
    label.prepend(twist);
    const isContainer = row.count !== undefined && !row.canEdit;
    cell('kind', isContainer ? `${row.kind} (${row.count.toLocaleString('en')})` : row.kind);
    cell('text', row.text);
    return element;
  }

  async reset(total) {
    this.selected = -1;
    this.host.setAttribute('aria-rowcount', total);
    this.host.removeAttribute('aria-activedescendant');
    this.rows.top = 0;
    this.host.scrollTop = 0;
    await this.rows.setTotal(total);
    if (total > 0) await this.select(0);
  }

  async setTotal(total) {
    this.host.setAttribute('aria-rowcount', total);
    await this.rows.setTotal(total);
  }

  async select(index, center = false) {
    if (index < 0 || index >= this.rows.total) return;
    this.selected = index;
    await (center ? this.rows.center(index) : this.rows.reveal(index));
    for (const element of this.rows.elements) {
      element.setAttribute('aria-selected', Number(element.dataset.index) === index);
    }
    this.host.setAttribute('aria-activedescendant', `row${index}`);
    const row = this.shown.get(index);
    if (row && index === this.selected) await this.onSelect(row, index);
  }

  async toggle(index, open) {
    await this.setTotal(await call('toggle', index, open));
    await this.select(index);
  }

  async click(event) {
    const element = event.target.closest('.row');
    if (!element) return;
    const index = Number(element.dataset.index);
    const row = this.shown.get(index);
    if (row?.canOpen && event.target.closest('.twist')) await this.toggle(index, !row.isOpen);
    else await this.select(index);
  }

  // Selects the container around the selected value.
  async selectParent() {
    let { depth } = this.shown.get(this.selected) ?? { depth: 0 };
    if (depth === 0) return;
    for (let end = this.selected; end > 0; end -= 256) {
      const from = Math.max(0, end - 256);
      const rows = await call('rows', from, end - from);
      const found = rows.findLastIndex(row => row.depth < depth);
      if (found >= 0) return this.select(from + found);
    }
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const row = this.shown.get(this.selected);
    const page = this.rows.visible - 1;
    const last = this.rows.total - 1;
    const to = index => this.select(Math.max(0, Math.min(index, last)));
    const actions = {
      ArrowDown: () => to(this.selected + 1),
      ArrowUp: () => to(this.selected - 1),
      PageDown: () => to(this.selected + page),
      PageUp: () => to(this.selected - page),
      Home: () => to(0),
      End: () => to(last),
      ArrowRight: () => row?.canOpen && !row.isOpen ? this.toggle(this.selected, true) : row?.isOpen && to(this.selected + 1),
      ArrowLeft: () => row?.isOpen ? this.toggle(this.selected, false) : this.selectParent(),
      Enter: () => this.onEdit(),
      F2: () => this.onEdit(),
      ' ': () => row?.canOpen && this.toggle(this.selected, !row.isOpen),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}
