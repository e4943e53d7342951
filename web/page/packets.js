// The list of packets of a capture.
import { call } from './calls.js';
import { Rows } from './rows.js';

const ROW = 24;
const columns = ['time', 'addresses', 'kind', 'text', 'size'];

// Returns an element for an address. If there is no space for it, its start is cut off, because the port at the
// end differs most.
function address(text) {
  const made = document.createElement('span');
  const inner = document.createElement('bdi');
  inner.dir = 'ltr';
  inner.textContent = text;
  made.append(inner);
  return made;
}

export class Packets {
  // `onSelect(index)` is called when a packet is selected.
  constructor(host, onSelect) {
    Object.assign(this, { host, onSelect, selected: -1 });
    this.rows = new Rows(host, ROW, (from, count) => call('captureRows', from, count), (row, index) => this.show(row, index));
    host.addEventListener('keydown', event => this.key(event));
    host.addEventListener('click', event => {
      const row = event.target.closest('.packet');
      if (row) this.select(Number(row.dataset.index));
    });
  }

  show(row, index) {
    const element = document.createElement('div');
    element.className = row.kind === 'malformed' || row.kind === 'lost' ? 'packet bad' : 'packet';
    element.id = `packet${index}`;
    element.dataset.index = index;
    element.setAttribute('role', 'row');
    element.setAttribute('aria-rowindex', index + 1);
    element.setAttribute('aria-selected', index === this.selected);
    const texts = { ...row, time: row.time ?? '–', size: row.size.toLocaleString('en') };
    for (const column of columns) {
      const cell = document.createElement('span');
      cell.className = column;
      cell.setAttribute('role', 'gridcell');
      if (column === 'addresses') {
        cell.append(address(row.from), ' → ', address(row.to));
        cell.title = `${row.from} → ${row.to}`;
      } else {
        cell.textContent = texts[column];
      }
      element.append(cell);
    }
    return element;
  }

  async reset() {
    this.selected = -1;
    this.host.removeAttribute('aria-activedescendant');
    this.rows.top = 0;
    this.host.scrollTop = 0;
    await this.setTotal(0);
  }

  setTotal(total) {
    this.host.setAttribute('aria-rowcount', total);
    return this.rows.setTotal(total);
  }

  // Adds packets at the end.
  grow(total) {
    this.host.setAttribute('aria-rowcount', total);
    return this.rows.grow(total);
  }

  async select(index) {
    if (index < 0 || index >= this.rows.total) return;
    this.selected = index;
    await this.rows.reveal(index);
    for (const element of this.rows.elements) {
      element.setAttribute('aria-selected', Number(element.dataset.index) === index);
    }
    this.host.setAttribute('aria-activedescendant', `packet${index}`);
    if (index === this.selected) await this.onSelect(index);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = this.rows.visible - 1;
    const last = this.rows.total - 1;
    const target = {
      ArrowDown: this.selected + 1,
      ArrowUp: this.selected - 1,
      PageDown: this.selected + page,
      PageUp: this.selected - page,
      Home: 0,
      End: last,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.select(Math.max(0, Math.min(target, last)));
  }
}
