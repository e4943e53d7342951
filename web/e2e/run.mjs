// Runs all tests of the page. `web/test` starts it.
import { createRequire } from 'node:module';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { captureTests } from './captures.mjs';
import { Driver, measureTasks } from './driver.mjs';
import { familyTests } from './families.mjs';
import { formatTests } from './formats.mjs';
import { serve } from './server.mjs';
import { tests } from './tests.mjs';

const { CHROMIUM, OUT, PAGE, QUICK } = process.env;
const require = createRequire(join(OUT, 'node_modules/'));
const { chromium } = require('playwright-core');
const axe = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
await mkdir(OUT, { recursive: true });

const server = await serve(PAGE);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
const requests = [];
let failed = 0;

async function context(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // An init script, because the policy of the page does not allow a script element for axe.
  await context.addInitScript({ content: axe });
  await context.addInitScript(measureTasks);
  const own = [];
  context.on('request', request => {
    requests.push(request.url());
    own.push(request.url().slice(server.url.length));
  });
  // A slow machine is no failure.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', error => errors.push(String(error)));
  page.on('console', message => message.type() === 'error' && errors.push(message.text()));
  await page.goto(server.url);
  return { page, errors, requests: own, driver: new Driver(page), close: () => context.close() };
}

const only = process.argv[2];
for (const [name, test] of Object.entries({ ...tests, ...familyTests, ...captureTests, ...formatTests })) {
  if (only && !name.includes(only)) continue;
  if (QUICK && name.includes('responsive')) continue;
  const opened = [];
  try {
    const figures = await test(async options => {
      const next = await context(options);
      opened.push(next);
      return next;
    }, OUT);
    for (const { errors } of opened) {
      if (errors.length) throw new Error(errors.join('\n'));
    }
    console.log(`ok    ${name}${figures ? `: ${figures}` : ''}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}: ${error.stack}`);
    await opened.at(-1)?.page.screenshot({ path: join(OUT, 'failed.png') });
  }
  for (const { close } of opened) await close();
}

const foreign = requests.filter(url => !url.startsWith(server.url) && !url.startsWith(`blob:${server.url}`));
if (foreign.length) {
  failed++;
  console.log(`FAIL  requests that leave the page: ${foreign.join(' ')}`);
} else {
  console.log(`ok    no request leaves the page: ${requests.length} requests, all for its own files`);
}
await browser.close();
server.close();
process.exitCode = failed ? 1 : 0;
