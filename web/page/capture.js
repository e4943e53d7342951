// An opened capture: its packets, filter, timeline and ledger.
import { counted, download, size } from './bytes.js';
import { call } from './calls.js';
import { show as showDetails } from './details.js';
import { Hex } from './hex.js';
import { show as showLedger } from './ledger.js';
import { Packets } from './packets.js';
import { Timeline } from './timeline.js';
import { Work } from './work.js';

const $ = id => document.getElementById(id);
// Packets that are hidden unless all are shown, or the filter selects their kind.
const control = ['connect', 'accept', 'disconnect', 'ping', 'acknowledge', 'configure', 'lost', 'encrypted', 'stun'];

let state = null; // the opened capture
let span = null; // the selected span of time
let filterings = 0;
let readings = 0; // how often a capture was read; a later reading replaces an earlier one
let say = () => {};
// Divides work into several tasks, so that the page stays responsive.
const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));

const hex = new Hex($('frame-hex'), () => {}, 'captureBytes');
const packets = new Packets($('packets'), select);
const timeline = new Timeline($('timeline'), $('legend'), $('timeline-text'), (from, to) => setSpan({ from, to }));

const work = new Work('capture-', () => state?.size, message => say(`This failed: ${message}`, true));

$('capture-cancel').onclick = () => work.cancel();

// Calls `each` for few of the parts, because each change makes the browser lay out the page again.
function rarely(each) {
  let last = 0;
  return part => {
    if (performance.now() - last < 300) return;
    last = performance.now();
    each(part);
  };
}

// Opening

export async function showCapture(opened, tell) {
  state = opened;
  say = tell;
  document.title = `${state.name} – gamewire`;
  $('capture-name').textContent = state.name;
  $('capture-size').textContent = size(state.size);
  $('kind').replaceChildren(new Option('any kind', ''), ...state.kinds.map(kind => new Option(kind, kind)));
  for (const id of ['line', 'peer', 'member']) $(id).value = '';
  $('errors').checked = $('all').checked = false;
  // A phone has no space for both the timeline and the list.
  $('time').open = !matchMedia('(max-width: 800px)').matches;
  span = null;
  timeline.setSpan(null);
  showSpan();
  $('capture').hidden = false;
  setTab('packets');
  await frame();
  await hex.setSize(state.size);
  await frame();
  $('packets').focus();
  await read();
}

// Reads the whole capture. Its first packets are shown at once.
async function read() {
  $('packet').replaceChildren();
  $('ledger').replaceChildren();
  hex.marks = [];
  state.summary = null;
  await packets.reset();
  let shown = 0;
  let drawn = 0; // when the timeline was drawn
  const own = ++readings;
  const each = async part => {
    if (own !== readings) return;
    const isFirst = shown === 0 && part.rows > 0;
    shown = part.rows;
    await showRows(part.rows);
    if (isFirst) {
      await frame();
      await packets.select(0);
      await frame();
    }
    if (performance.now() - drawn < 1000) return;
    drawn = performance.now();
    drawTimeline(await call('captureTimeline'));
  };
  const result = await work.run('Reading', 'captureScan', [], rarely(each));
  if (own !== readings || result.failed) return;
  await call('captureStop');
  await showRows(result.rows ?? shown);
  drawTimeline(await call('captureTimeline'));
  state.summary = await call('captureSummary');
  $('addresses').replaceChildren(...state.summary.peers.slice(0, 200).map(([address]) => new Option(address)));
  if (!$('ledger').hidden) await showLedger($('ledger'), state.summary);
  if (packets.selected < 0) await packets.select(0);
  if (result.cancelled) say('Reading was cancelled. The list has the packets up to there.');
  else if (result.fault) {
    const { offset } = result.fault;
    await hex.setMarks([{ from: offset, to: offset + 1, name: 'fault' }, ...hex.marks]);
    say(`The capture ends with an error at byte ${offset.toLocaleString('en')}: ${result.fault.text}.`, true);
  } else if (!result.rows) say('The capture contains no packets of Godot games to show. “All packets” also shows control packets and other protocols.');
  else say(`${counted(result.rows, 'packet')} of games.`);
}

async function showRows(rows) {
  $('count').textContent = counted(rows, 'packet');
  await packets.grow(rows);
}

function drawTimeline(data) {
  state.timeline = data;
  timeline.show(data, $('all').checked ? [] : control);
}

export function hideCapture() {
  readings++;
  filterings++;
  work.cancel();
  state = null;
  $('capture').hidden = true;
}

// Selection

async function select(index) {
  const details = await call('captureDetails', index);
  if (packets.selected !== index || !details.record) return;
  showDetails($('packet'), details);
  await frame();
  if (packets.selected !== index) return;
  const marks = [];
  if (details.at !== undefined) marks.push({ from: details.at, to: details.at + details.len, name: 'marked' });
  if (details.frame) marks.push({ from: details.frameAt, to: details.frameAt + details.frameLen, name: 'key' });
  await hex.setMarks(marks);
}

// Filter

// Converts ASCII letters to lower case, as Rust does with the text that it searches.
const lower = text => text.replace(/[A-Z]+/g, letters => letters.toLowerCase());

function filter() {
  const kind = $('kind').value;
  return {
    all: $('all').checked,
    kinds: kind ? 1 << state.kinds.indexOf(kind) : 0,
    text: lower($('line').value),
    peer: lower($('peer').value.trim()),
    member: lower($('member').value.trim()).replace(/^\/root\//, ''),
    errors: $('errors').checked,
    from: span ? span.from : 0,
    to: span ? Math.min(span.to, Number.MAX_SAFE_INTEGER) : -1,
  };
}

async function applyFilter() {
  if (!state) return;
  // A filter needs the whole list.
  if (!state.summary) return say('The filter can be used once the whole capture has been read.');
  await packets.reset();
  $('packet').replaceChildren();
  const own = ++filterings;
  const each = part => own === filterings && showRows(part.rows);
  const result = await work.run('Filtering', 'captureFilter', [filter()], rarely(each));
  if (own !== filterings || !state || result.failed) return;
  if (result.cancelled) return say('The filter was cancelled. The list has the packets that were found up to there.');
  await showRows(result.rows);
  await packets.select(0);
  say(`${counted(result.rows, 'packet')} ${result.rows === 1 ? 'matches' : 'match'}.`);
}

$('capture-filter').onsubmit = event => {
  event.preventDefault();
  applyFilter();
};
for (const id of ['kind', 'errors']) $(id).onchange = applyFilter;
$('capture-filter').onreset = () => setTimeout(() => setSpan(null));
// Bytes of other protocols are only decoded if all packets are shown, so the capture is read again.
$('all').onchange = async () => {
  const all = $('all').checked;
  readings++;
  work.cancel();
  await call('captureRestart', all);
  await read();
  if (state?.summary && (Object.values({ ...filter(), all: false }).some(value => value && value !== -1) || span)) await applyFilter();
};

function setSpan(next) {
  span = next;
  timeline.setSpan(span);
  showSpan();
  applyFilter();
}

function showSpan() {
  $('clear-span').hidden = !span;
  const text = nanoseconds => (nanoseconds / 1e9).toLocaleString('en', { maximumFractionDigits: 3 });
  for (const end of ['from', 'to']) $(`span-${end}`).value = span && Number.isFinite(span[end]) ? (span[end] / 1e9).toFixed(3) : '';
  $('span').textContent = span ? `${text(span.from)} to ${text(span.to)} s` : '';
}
$('clear-span').onclick = () => setSpan(null);

// Selecting a span of time with the keyboard.
for (const id of ['span-from', 'span-to']) {
  $(id).onchange = () => {
    const [from, to] = [$('span-from'), $('span-to')].map(input => input.value === '' ? null : Number(input.value) * 1e9);
    setSpan(from === null && to === null ? null : { from: from ?? 0, to: to ?? Infinity });
  };
}

for (const id of ['by', 'unit']) {
  $(id).onchange = () => {
    timeline[id] = $(id).value;
    if (state?.timeline) drawTimeline(state.timeline);
  };
}

// Tabs

function setTab(name) {
  for (const tab of ['packets', 'ledger']) {
    $(`tab-${tab}`).setAttribute('aria-pressed', tab === name);
  }
  $('capture-panes').hidden = name !== 'packets';
  $('ledger').hidden = name !== 'ledger';
  if (name === 'ledger' && state?.summary && !$('ledger').childElementCount) showLedger($('ledger'), state.summary);
}
$('tab-packets').onclick = () => setTab('packets');
$('tab-ledger').onclick = () => setTab('ledger');

// Export

async function exportAs(csv, extension) {
  if (!state.summary) return say('The list can be exported once the whole capture has been read.');
  const result = await work.run('Exporting', 'captureExport', [csv]);
  if (result.blob) download(`${state.name}.${extension}`, result.blob);
  else if (result.cancelled) say('The export was cancelled.');
}
$('packets-json').onclick = () => exportAs(false, 'jsonl');
$('packets-csv').onclick = () => exportAs(true, 'csv');
