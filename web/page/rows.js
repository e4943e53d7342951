// A list that only has elements for the visible rows.

// Browsers limit the height of an element. The scroll position of longer lists is scaled.
const MAX_HEIGHT = 8e6;

export class Rows {
  // `load(from, count)` returns a promise of the rows, and `show(row, index)` an element.
  constructor(host, height, load, show) {
    Object.assign(this, { host, height, load, show, total: 0, top: 0, elements: [] });
    this.space = host.querySelector('.space');
    this.busy = false;
    this.again = false;
    host.addEventListener('scroll', () => this.scrolled());
    host.addEventListener('wheel', event => this.wheel(event), { passive: false });
    new ResizeObserver(() => this.update()).observe(host);
  }

  get visible() {
    return Math.max(1, Math.floor(this.host.clientHeight / this.height));
  }

  get isScaled() {
    return this.total * this.height > MAX_HEIGHT;
  }

  get lastTop() {
    return Math.max(0, this.total - this.host.clientHeight / this.height);
  }

  setTotal(total) {
    this.total = total;
    this.space.style.height = `${Math.min(total * this.height, MAX_HEIGHT)}px`;
    this.top = Math.min(this.top, this.lastTop);
    return this.update();
  }

  // Adds rows at the end. Does not draw the visible rows again if they stay the same.
  grow(total) {
    const { isScaled } = this;
    const isFull = this.top + this.visible < this.total && this.elements.length >= this.visible;
    this.total = total;
    if (!isFull || isScaled !== this.isScaled) return this.setTotal(total);
    this.space.style.height = `${Math.min(total * this.height, MAX_HEIGHT)}px`;
  }

  scrolled() {
    if (this.moved !== undefined && Math.abs(this.moved - this.host.scrollTop) < 1.5) return;
    this.moved = undefined;
    const range = this.host.scrollHeight - this.host.clientHeight;
    this.top = this.isScaled ? this.host.scrollTop / range * this.lastTop : this.host.scrollTop / this.height;
    this.update();
  }

  wheel(event) {
    if (!this.isScaled || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    const pixels = event.deltaMode === 1 ? event.deltaY * this.height : event.deltaY;
    this.scrollTo(this.top + pixels / this.height);
  }

  // Makes `top` the first visible row.
  scrollTo(top) {
    this.top = Math.max(0, Math.min(top, this.lastTop));
    const range = this.host.scrollHeight - this.host.clientHeight;
    this.host.scrollTop = this.isScaled ? this.top / Math.max(this.lastTop, 1) * range : this.top * this.height;
    this.moved = this.host.scrollTop;
    return this.update();
  }

  // Scrolls if the row is not visible.
  reveal(index) {
    if (index < this.top) return this.scrollTo(index);
    if (index + 1 > this.top + this.visible) return this.scrollTo(index + 1 - this.visible);
    return this.update();
  }

  // Shows a row in the middle, unless it is visible.
  center(index) {
    if (index >= this.top && index + 1 <= this.top + this.visible) return this.update();
    return this.scrollTo(index - this.visible / 2);
  }

  // Loads and shows the visible rows. All calls in the meantime lead to one more round.
  async update() {
    this.again = true;
    if (this.busy) return this.running;
    this.busy = true;
    this.running = this.refresh();
    return this.running;
  }

  async refresh() {
    try {
      while (this.again) {
        this.again = false;
        const from = Math.max(0, Math.floor(this.top) - 4);
        const count = Math.min(this.visible + 10, this.total - from);
        const rows = count > 0 ? await this.load(from, count) : [];
        this.draw(rows, from);
      }
    } finally {
      this.busy = false;
    }
  }

  draw(rows, from) {
    const elements = rows.map((row, index) => {
      const element = this.show(row, from + index);
      const y = this.isScaled
        ? this.host.scrollTop + (from + index - this.top) * this.height
        : (from + index) * this.height;
      element.style.top = `${y}px`;
      return element;
    });
    this.space.after(...elements);
    for (const element of this.elements) element.remove();
    this.elements = elements;
  }
}
