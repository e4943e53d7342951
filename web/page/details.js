// Everything about the selected packet.

import { counted } from './bytes.js';

// Members of the record that the lines at the top show.
const shown = ['time', 'src', 'dst', 'transport', 'engine', 'guessed', 'channel', 'delivery', 'kind'];
// Number of items of a container that are shown at first.
const FIRST = 50;

// Returns the date of a time in nanoseconds since 1970, as text.
export function date(nanoseconds) {
  const total = BigInt(nanoseconds);
  const rest = ((total % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const moment = new Date(Number((total - rest) / 1_000_000n));
  if (Number.isNaN(moment.getTime())) return '';
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')}.${String(rest).padStart(9, '0').replace(/000$/, '')} UTC`;
}

const element = (name, text = '', className = '') => {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
};

function leaf(value) {
  return element('span', typeof value === 'string' ? value : JSON.stringify(value), 'leaf');
}

const isContainer = value => value !== null && typeof value === 'object' && Object.keys(value).length > 0;

// Returns a list of the members of a container. Long containers and deep ones are opened on request.
function list(value, depth) {
  const items = element('ul');
  const entries = Object.entries(value);
  const add = from => {
    for (const [key, item] of entries.slice(from, from + FIRST)) items.append(member(key, item, depth));
    const next = from + FIRST;
    if (next >= entries.length) return;
    const more = element('button', `Show more (${(entries.length - next).toLocaleString('en')})`);
    more.type = 'button';
    const line = element('li');
    line.append(more);
    more.onclick = () => {
      line.remove();
      add(next);
    };
    items.append(line);
  };
  add(0);
  return items;
}

function member(key, value, depth) {
  const line = element('li');
  const name = element('span', key, 'name');
  if (!isContainer(value)) {
    line.append(name, ' ', leaf(value));
    return line;
  }
  const details = element('details');
  const summary = element('summary');
  const count = Object.keys(value).length;
  summary.append(name, ' ', element('span', Array.isArray(value) ? `[${count}]` : `{${count}}`, 'count'));
  details.append(summary);
  details.ontoggle = () => {
    if (details.childElementCount === 1) details.append(list(value, depth + 1));
  };
  details.open = depth < 4;
  line.append(details);
  return line;
}

// Shows a packet in `host`.
export function show(host, details) {
  const { record } = details;
  const facts = element('dl');
  const fact = (name, value) => {
    if (value !== undefined && value !== '') facts.append(element('dt', name), element('dd', value));
  };
  fact('Kind', record.kind);
  fact('From', record.src);
  fact('To', record.dst);
  fact('Time', details.passed && `${details.passed} s, ${date(details.time)}`);
  const transport = record.channel === undefined ? record.transport : `${record.transport}, channel ${record.channel}`;
  fact('Transport', [transport, record.delivery].filter(Boolean).join(', '));
  fact('Engine', record.engine && record.engine + (record.guessed ? ' (guessed)' : ''));
  fact('Size', counted(details.len, 'byte'));
  fact('Captured packet', details.frame ? `number ${details.frame.toLocaleString('en')}, ${counted(details.frameLen, 'byte')} at ${details.frameAt.toLocaleString('en')}` : 'none: it was still waiting for missing packets when the capture ended');
  const rest = Object.fromEntries(Object.entries(record).filter(([key]) => !shown.includes(key)));
  host.replaceChildren(facts);
  if (isContainer(rest)) host.append(list(rest, 1));
}
