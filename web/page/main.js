// Connects the parts of the page.
import { decode, download, size } from './bytes.js';
import { call } from './calls.js';
import { Companions, inOrder } from './companions.js';
import { Differences } from './compare.js';
import { Hex } from './hex.js';
import { Tree } from './tree.js';
import { Work } from './work.js';

const $ = id => document.getElementById(id);
let state = null; // what the worker knows about the file
let selected = null; // the selected row
let editsKey = false;
let capture = null; // the script for captures, once it is loaded
let shows = 0; // how often an opened file was shown

const work = new Work('', () => state?.size, message => say(`This failed: ${message}`, true));
const companions = new Companions((job, args) => work.run('Reading', job, args).then(show));
const hex = new Hex($('hex'), offset => selectAt(offset));
const tree = new Tree($('tree'), onSelect, () => !$('value').disabled && $('value').focus());

// Messages

function say(text, isBad = false, offset = undefined) {
  $('message').textContent = text;
  $('message').className = isBad ? 'bad' : '';
  if (offset === undefined || !state) return;
  const jump = document.createElement('button');
  jump.type = 'button';
  jump.textContent = `Show byte ${offset.toLocaleString('en')}`;
  jump.onclick = () => showFault(offset);
  $('message').append(jump);
}

function fail({ text, offset }) {
  say(`${text[0].toUpperCase()}${text.slice(1)}.`, true, offset);
}

async function showFault(offset) {
  await selectAt(Math.min(offset, state.size - 1));
  await hex.setMarks([{ from: offset, to: offset + 1, name: 'fault' }, ...hex.marks]);
}

$('cancel').onclick = () => {
  work.cancel();
  say('Cancelled.');
};

// Opening

// `others` are files that belong to the file, such as the exports of a package.
async function open(name, file, others = []) {
  say('');
  const opened = await work.run(`Reading ${name}`, 'open', [name, file, others]);
  await show(opened);
}

function openAll(files) {
  const [main, ...others] = inOrder(files);
  if (main) open(main.name, main, others);
}

async function show(opened) {
  if (opened.failed || opened.cancelled) return;
  if (opened.needs === 'password') return askPassword();
  if (opened.error) return fail(opened.error);
  const own = ++shows;
  if (opened.capture && !await loadCapture() || own !== shows) return;
  $('start').hidden = true;
  capture?.hideCapture();
  if (opened.capture) {
    $('opened').hidden = true;
    state = null;
    return capture.showCapture(opened, say);
  }
  setState(opened);
  $('opened').hidden = false;
  $('hits').hidden = $('differences').hidden = true;
  hex.marks = [];
  await hex.setSize(state.size);
  await tree.reset(state.rows);
  $('tree').focus();
  if (state.fault) return fail(state.fault);
  say(`${state.format}. Values at the top level: ${state.values.toLocaleString('en')}.`);
}

// Loads what only captures need. Returns false if that fails.
async function loadCapture() {
  if (capture) return true;
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = 'capture.css';
  const loaded = new Promise((resolve, reject) => Object.assign(style, { onload: resolve, onerror: reject }));
  document.head.append(style);
  try {
    [capture] = await Promise.all([import('./capture.js'), loaded]);
    return true;
  } catch {
    style.remove();
    say('A part of the page could not be loaded.', true);
    return false;
  }
}

// The worker has failed, and has no file any more.
addEventListener('lost', () => {
  state = null;
  shows++;
  capture?.hideCapture();
  $('opened').hidden = true;
  $('start').hidden = false;
});

function setState(next) {
  state = next;
  document.title = `${state.name} – gamewire`;
  $('name').textContent = state.name;
  $('format').textContent = state.format;
  $('size').textContent = size(state.size);
  $('undo').disabled = !state.undo;
  $('redo').disabled = !state.redo;
  for (const choice of document.querySelectorAll('.choice')) choice.hidden = !state.dialect;
  if (state.dialect) {
    $('dialect').value = state.dialect;
    $('framing').value = state.framing;
  }
  $('unsure').hidden = !state.dialect || state.unique;
  companions.show(state);
}

for (const id of ['dialect', 'framing']) {
  $(id).onchange = async () => show(await call('choose', $('dialect').value, $('framing').value));
}

for (const id of ['pick', 'pick-large']) $(id).onclick = () => $('file').click();
$('file').onchange = () => {
  const files = [...$('file').files];
  $('file').value = '';
  openAll(files);
};

addEventListener('dragover', event => {
  event.preventDefault();
  document.body.classList.add('dropping');
});
addEventListener('dragleave', event => {
  if (!event.relatedTarget) document.body.classList.remove('dropping');
});
addEventListener('drop', event => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  openAll([...event.dataTransfer.files]);
});

// Shows a dialog, and resolves to true if it is confirmed.
function ask(id) {
  const dialog = $(id);
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise(resolve => {
    dialog.onclose = () => resolve(dialog.returnValue === 'open');
  });
}
for (const button of document.querySelectorAll('.close')) {
  button.onclick = () => button.closest('dialog').close();
}

$('paste').onclick = async () => {
  if (!await ask('paste-dialog')) return;
  const bytes = decode($('pasted').value);
  if (bytes?.length) open('pasted.bin', bytes.buffer);
  else say('This is neither hexadecimal nor base64.', true);
};

addEventListener('paste', event => {
  if (event.target.closest('input, textarea')) return;
  const bytes = decode(event.clipboardData.getData('text'));
  if (bytes?.length) open('pasted.bin', bytes.buffer);
});

async function askPassword() {
  $('password').value = '';
  if (!await ask('password-dialog')) return say('The file was not opened.');
  const opened = await work.run('Decrypting', 'unlock', [$('password').value]);
  await show(opened);
}

// Selection and editing

async function onSelect(row, index) {
  selected = { row, index };
  editsKey = false;
  const marks = [{ from: row.at, to: row.at + row.len, name: 'marked' }];
  if (row.keyLen) marks.push({ from: row.keyAt, to: row.keyAt + row.keyLen, name: 'key' });
  await Promise.all([hex.setMarks(marks), fillEditor()]);
}

async function fillEditor() {
  const { row, index } = selected;
  const canEdit = editsKey ? row.canEditKey : row.canEdit;
  const value = await call('value', index, editsKey);
  if (selected.index !== index) return;
  $('value-label').textContent = editsKey ? 'Key' : 'Value';
  $('value').value = canEdit ? value.text : '';
  $('value').rows = Math.min(8, $('value').value.split('\n').length);
  $('value').disabled = $('apply').disabled = !canEdit;
  $('value').placeholder = canEdit ? '' : row.canOpen ? 'Open it to change the values inside' : '';
  $('apply').textContent = editsKey ? 'Change key' : 'Change value';
  $('edit-key').textContent = editsKey ? 'Edit value' : 'Edit key';
  $('edit-key').disabled = !row.canEditKey;
  $('open-entry').hidden = !row.canExtract;
  $('where').textContent = `${value.path}  –  byte ${row.at.toLocaleString('en')}, ${size(row.len)}`;
}

async function selectAt(offset) {
  const index = await call('rowAt', offset);
  await refresh();
  if (index < 0) return hex.setMarks([{ from: offset, to: offset + 1, name: 'marked' }]);
  await tree.select(index, true);
}

async function refresh() {
  setState(await call('state'));
  await hex.setSize(state.size);
  await tree.setTotal(state.rows);
}

$('open-entry').onclick = async () => show(await work.run('Reading', 'openEntry', [selected.index]));

$('edit-key').onclick = async () => {
  editsKey = !editsKey;
  await fillEditor();
  $('value').focus();
};

$('editor').onsubmit = async event => {
  event.preventDefault();
  if (!selected || $('value').disabled) return;
  const changed = await call('edit', selected.index, editsKey, $('value').value);
  if (changed.error) return fail(changed.error);
  await refresh();
  await tree.select(selected.index);
  say('Changed.');
};

$('value').onkeydown = event => {
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault();
    $('editor').requestSubmit();
  } else if (event.key === 'Escape') {
    fillEditor();
    $('tree').focus();
  }
};

async function stepBack(redo) {
  const offset = await call('stepBack', redo);
  if (offset < 0) return;
  await selectAt(offset);
  say(redo ? 'Redone.' : 'Undone.');
}
$('undo').onclick = () => stepBack(false);
$('redo').onclick = () => stepBack(true);

addEventListener('keydown', event => {
  if (!state || !(event.ctrlKey || event.metaKey) || event.target.closest('input, textarea')) return;
  const key = event.key.toLowerCase();
  if (key === 'z' || key === 'y') {
    event.preventDefault();
    stepBack(key === 'y' || event.shiftKey);
  } else if (key === 'f') {
    event.preventDefault();
    $('needle').focus();
  }
});

// Selects the value to which these indices lead from the root.
async function reveal(chain) {
  const index = await call('reveal', chain);
  await refresh();
  await tree.select(index, true);
}

// Search

$('search').onsubmit = async event => {
  event.preventDefault();
  const needle = $('needle').value;
  if (!needle) return;
  $('hits').hidden = false;
  $('hits-list').replaceChildren();
  let count = 0;
  // The worker passes only the first hits, because more would make the list slow.
  const add = part => {
    if (part.count === undefined || part.count === count) return;
    count = part.count;
    $('hits-list').append(...part.hits.map(hitElement));
    $('hits-title').textContent = `${count.toLocaleString('en')} found`;
  };
  $('hits-title').textContent = 'Searching';
  const result = await work.run('Searching', 'search', [needle, $('field').value], add);
  add(result);
  $('hits-title').textContent = `${count.toLocaleString('en')} found`;
  if (result.done) say(`${count.toLocaleString('en')} found${count >= 10_000 ? '; the search stopped here' : ''}.`);
};

function hitElement({ chain, path, text }) {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  const value = document.createElement('span');
  value.textContent = `  ${text}`;
  button.append(path, value);
  button.onclick = () => reveal(chain);
  item.append(button);
  return item;
}

$('close-hits').onclick = () => {
  $('hits').hidden = true;
  $('tree').focus();
};

// Comparison

const differences = new Differences($('differences-rows'), reveal);

$('compare').onclick = () => $('other-file').click();
$('other-file').onchange = () => {
  const [file, ...others] = inOrder([...$('other-file').files]);
  $('other-file').value = '';
  if (file) compare(file, others);
};

// `others` are files that belong to the file, such as the exports of a package.
async function compare(file, others, password = undefined) {
  differences.clear();
  $('left-name').textContent = state.name;
  $('right-name').textContent = file.name;
  const result = await work.run(`Comparing with ${file.name}`, 'compare', [file.name, file, others, password], addDifferences);
  if (result.needs === 'password') {
    $('password').value = '';
    return await ask('password-dialog') ? compare(file, others, $('password').value) : say('The files were not compared.');
  }
  if (result.error) return say(`${file.name}: ${result.error.text}.`, true);
  if (!result.done) return;
  addDifferences(result);
  $('differences').hidden = !result.count;
  if (result.count) say(`${differencesText(result.count)}${result.count >= 10_000 ? '; the comparison stopped here' : ''}.`);
  else say('The files have the same values.');
}

const differencesText = count => count === 1 ? '1 difference' : `${count.toLocaleString('en')} differences`;

function addDifferences({ found = [], count }) {
  if (!found.length) return;
  $('differences').hidden = false;
  $('differences-title').textContent = differencesText(count);
  differences.add(found);
}

$('close-differences').onclick = () => {
  $('differences').hidden = true;
  $('tree').focus();
};

// Check, export and download

$('check').onclick = async () => {
  const result = await work.run('Checking', 'check', []);
  if (result.error) fail(result.error);
  else if (result.done) say('All values are well-formed.');
};

async function exportAs(job, extension) {
  const result = await work.run('Exporting', job, []);
  if (result.error) fail(result.error);
  else if (result.blob) download(`${state.name}.${extension}`, result.blob);
}
$('export').onclick = () => exportAs('export', 'jsonl');
$('export-csv').onclick = () => exportAs('exportCsv', 'csv');

$('save').onclick = async () => {
  const bytes = await work.run('Writing', 'save', []);
  if (bytes instanceof Uint8Array) download(state.name, new Blob([bytes]));
  if (!state.second) return;
  const second = await work.run('Writing', 'saveSecond', []);
  if (second instanceof Uint8Array) download(state.second, new Blob([second]));
};
