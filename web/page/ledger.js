// The tables of a capture: what its bytes are spent on.

import { counted } from './bytes.js';

// Number of rows of a table that are shown at first.
const FIRST = 100;

const number = value => value.toLocaleString('en');
const share = (part, whole) => `${(100 * part / Math.max(whole, 1)).toFixed(1)} %`;

function element(name, text = '') {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

// Returns a table. The first column is text, all others are numbers.
function table(title, heads, rows) {
  const made = element('table');
  made.append(element('caption', title));
  const head = element('tr');
  heads.forEach(text => {
    const cell = element('th', text);
    cell.scope = 'col';
    head.append(cell);
  });
  made.createTHead().append(head);
  const body = made.createTBody();
  const add = from => {
    for (const row of rows.slice(from, from + FIRST)) {
      const line = body.insertRow();
      row.forEach((value, index) => {
        const cell = element(index ? 'td' : 'th', typeof value === 'number' ? number(value) : value ?? '');
        if (!index) cell.scope = 'row';
        line.append(cell);
      });
    }
    if (rows.length <= from + FIRST) return;
    const more = element('button', `Show more rows (${number(rows.length - from - FIRST)})`);
    more.type = 'button';
    const cell = body.insertRow().insertCell();
    cell.colSpan = heads.length;
    cell.append(more);
    more.onclick = () => {
      cell.parentNode.remove();
      add(from + FIRST);
    };
  };
  add(0);
  return made;
}

// Adds up rows of the ledger by name, the most bytes first. Rows of parts of packets, such as the values of
// properties, add no packets, because other rows count these.
function grouped(rows, name) {
  const sums = new Map();
  for (const row of rows) {
    const [, , , , count, bytes, isPart] = row;
    const key = name(row);
    const sum = sums.get(key) ?? { count: 0, bytes: 0 };
    sum.count += isPart ? 0 : count;
    sum.bytes += bytes;
    sums.set(key, sum);
  }
  return [...sums].sort(([, a], [, b]) => b.bytes - a.bytes);
}

export async function show(host, summary) {
  const { packets, bytes, seconds, rows } = summary;
  const sums = (title, head, all) => table(title, [head, 'Share', 'Packets', 'Bytes', 'Bytes per packet', 'Bytes per second'],
    all.map(([key, sum]) => [key, share(sum.bytes, bytes), sum.count, sum.bytes, sum.count ? (sum.bytes / sum.count).toFixed(1) : '', seconds > 0 ? (sum.bytes / seconds).toFixed(1) : '']));
  const list = element('ul');
  const note = text => list.append(element('li', text));
  note(`${counted(packets, 'captured packet')}, ${counted(bytes, 'byte')}, ${seconds.toLocaleString('en', { maximumFractionDigits: 3 })} seconds`);
  for (const [reason, count] of summary.skipped) note(`${number(count)} skipped: ${reason}`);
  if (summary.otherBytes) note(`${counted(summary.otherBytes, 'byte')} of other protocols`);
  if (summary.unknownPaths) note(`${counted(summary.unknownPaths, 'packet')} for nodes whose paths are unknown`);
  if (summary.notCaptured) note(`${counted(summary.notCaptured, 'byte')} not captured, because packets were cut short`);
  if (summary.leaked) note(`${counted(summary.leaked, 'byte')} of engine memory leaked in padding`);
  for (const [reason, count] of summary.malformed) note(`${number(count)} malformed: ${reason}`);
  const kinds = [...summary.kinds].sort((a, b) => b[2] - a[2]);
  const isMethod = ([, account, node, member]) => account === 'rpc' || account === 'set' || member || node;
  const methodName = ([, account, node, member]) => `${account} ${node ?? ''}${member ?? ''}`;
  const nodes = rows.filter(([, , node]) => node !== null);
  // Each table is laid out in a task of its own.
  const tables = [
    () => table('Packets of the game by kind', ['Kind', 'Packets', 'Bytes'], kinds),
    () => table('Addresses', ['Address', 'Peer', 'Sent', 'Bytes sent', 'Received', 'Bytes received', 'Game packets', 'Game bytes'],
      [...summary.peers].sort((a, b) => b[3] - a[3]).filter(peer => peer[2] || peer[4])),
    () => sums('By node', 'Path', grouped(nodes, ([, , node]) => node)),
    () => sums('By method and property', 'Name', grouped(rows.filter(isMethod), methodName)),
    () => sums('By layer', 'Layer', grouped(rows, ([group]) => group)),
    () => sums('All bytes', 'Spent on', grouped(rows, ([, account]) => account)),
  ];
  host.replaceChildren(list);
  for (const make of tables) {
    const made = make();
    if (made.tBodies[0].rows.length) host.append(made);
    await new Promise(resolve => setTimeout(resolve));
    if (list.parentNode !== host) return;
  }
}
