// Files that belong to the opened one: the exports of a package (.uexp) and mappings (.usmap). Also the engine of
// a package that does not state its version.
const $ = id => document.getElementById(id);

const WANTED = {
  exports: ['The objects of this package are in another file.', 'Choose the .uexp'],
  mappings: ['The properties have no names without mappings.', 'Choose a .usmap'],
};

// Returns files with the one that is opened first, before those that belong to it.
export function inOrder(files) {
  const isOther = ({ name }) => /\.(uexp|usmap)$/i.test(name);
  return [...files.filter(file => !isOther(file)), ...files.filter(isOther)];
}

export class Companions {
  // `run(job, args)` runs a job of the worker that opens the file again.
  constructor(run) {
    $('supply').onclick = () => $('companion').click();
    $('companion').onchange = () => {
      const [file] = $('companion').files;
      $('companion').value = '';
      if (file) run('supply', [file]);
    };
    $('engine').onchange = () => run('engine', [$('engine').value]);
  }

  show({ wants, engine, engines = [] }) {
    $('wanted').hidden = !wants;
    if (wants) [$('wanted-text').textContent, $('supply').textContent] = WANTED[wants];
    $('engine-choice').hidden = engines.length < 2;
    $('engine').replaceChildren(...engines.map(name => new Option(`Unreal Engine ${name}`, name)));
    $('engine').value = engine ?? '';
  }
}
