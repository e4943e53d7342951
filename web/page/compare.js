// The list of differences between two files.

// More would make the page slow.
const SHOWN = 500;

// Shows differences as rows of a table: path, value in the opened file, value in the other file. `reveal` is
// called with the indices that lead to a value in the opened file.
export class Differences {
  constructor(body, reveal) {
    Object.assign(this, { body, reveal });
  }

  clear() {
    this.body.replaceChildren();
  }

  add(found) {
    const room = SHOWN - this.body.childElementCount;
    this.body.append(...found.slice(0, Math.max(0, room)).map(difference => this.row(difference)));
  }

  row({ path, old, new: other, chain }) {
    const row = document.createElement('tr');
    const name = document.createElement('th');
    name.scope = 'row';
    if (chain) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = path;
      button.onclick = () => this.reveal(chain);
      name.append(button);
    } else {
      name.textContent = path;
    }
    row.append(name, cell(old), cell(other));
    return row;
  }
}

function cell(text) {
  const cell = document.createElement('td');
  cell.textContent = text === undefined ? 'missing' : text.slice(0, 400);
  if (text === undefined) cell.className = 'missing';
  return cell;
}
