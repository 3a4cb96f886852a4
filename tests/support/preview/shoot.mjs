// Photographs places of the app over the sample: node tests/support/preview/shoot.mjs FOLDER [name ...]
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'vite';

const STUDY = '#/studies/study-1';
const RUN = `${STUDY}/runs/study-1.heterogeneous.1`;
const PROBLEM = `${RUN}/problems/pocket%2Ftest%2F007`;
/** Name: scene and address; `do` presses keys before the picture is taken. */
const SHOTS = {
  first: { scene: 'first', at: '#/' },
  'no-sandbox': { scene: 'no-sandbox', at: '#/' },
  unplanned: { scene: 'unplanned', at: '#/' },
  home: { scene: 'running', at: '#/' },
  studies: { scene: 'running', at: '#/studies' },
  'new-study': { scene: 'running', at: '#/studies/new' },
  'new-study-pocket': { scene: 'finished', at: '#/studies/new?benchmark=pocket-test-1' },
  'new-study-empty': { scene: 'empty-library', at: '#/studies/new' },
  'new-study-keys': {
    scene: 'finished',
    at: '#/studies/new',
    // A configuration of an outside model, half filled in, then the wish to run it.
    do: ['Tab', 'Control+Enter'],
    press: [
      'Add an agent to configuration 2',
      'Add an agent to configuration 2',
      'Duplicate configuration 1',
    ],
  },
  'studies-empty': { scene: 'first', at: '#/studies' },
  preparing: { scene: 'preparing', at: STUDY },
  early: { scene: 'early', at: STUDY },
  study: { scene: 'running', at: STUDY },
  finished: { scene: 'finished', at: STUDY },
  seeds: { scene: 'seeds', at: STUDY },
  failed: { scene: 'failed', at: STUDY },
  refusing: { scene: 'refusing', at: STUDY, do: ['p'] },
  run: { scene: 'finished', at: `${PROBLEM}/nodes/9?part=search` },
  'run-nodes': { scene: 'finished', at: `${PROBLEM}?part=search&tab=nodes` },
  'run-curves': { scene: 'running', at: `${PROBLEM}?part=search&tab=curves` },
  'run-problem': { scene: 'running', at: `${PROBLEM}?part=search&tab=problem` },
  'run-empty': { scene: 'early', at: `${RUN}/problems/pocket%2Ftest%2F050?part=search` },
  compare: { scene: 'finished', at: '#/compare/study-1' },
  'compare-empty': { scene: 'first', at: '#/compare' },
  servers: { scene: 'running', at: '#/servers' },
  'servers-empty': { scene: 'first', at: '#/servers' },
  library: { scene: 'running', at: '#/library' },
  'library-empty': { scene: 'empty-library', at: '#/library' },
  settings: { scene: 'no-sandbox', at: '#/settings' },
  unreadable: { scene: 'unreadable', at: '#/' },
  nowhere: { scene: 'running', at: '#/no/such/place' },
  palette: { scene: 'running', at: STUDY, do: ['Control+k'] },
  keys: { scene: 'running', at: STUDY, do: ['Shift+?'] },
};
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'";
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const [folder = 'test-results/preview', ...wanted] = process.argv.slice(2);
const themes = process.env.THEMES?.split(',') ?? ['light', 'dark'];
if (process.env.BUILD !== '0') await build({ configFile: join(import.meta.dirname, 'vite.config.ts') });
const built = 'node_modules/.cache/preview';
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  readFile(join(built, path === '/' ? 'index.html' : path.replaceAll('..', ''))).then(
    (bytes) =>
      response
        .writeHead(200, {
          'content-type': TYPES[extname(path)] ?? 'text/html',
          'content-security-policy': CONTENT_SECURITY_POLICY,
        })
        .end(bytes),
    () => response.writeHead(404).end(),
  );
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
await mkdir(folder, { recursive: true });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.on('console', (message) => {
  if (['error', 'warning'].includes(message.type()))
    console.log(`  [${message.type()}] ${message.text().slice(0, 300)}`);
});
page.on('pageerror', (error) => console.log(`  [page error] ${error.message.slice(0, 500)}`));
for (const name of wanted.length > 0 ? wanted : Object.keys(SHOTS)) {
  const shot = SHOTS[name];
  for (const theme of themes) {
    const { port } = server.address();
    await page.goto('about:blank');
    await page.goto(`http://127.0.0.1:${port}/?scene=${shot.scene}&theme=${theme}${shot.at}`);
    await page.waitForTimeout(700);
    for (const name of shot.press ?? []) await page.getByRole('button', { name, exact: true }).click();
    for (const keys of shot.do ?? []) await page.keyboard.press(keys);
    if (shot.do !== undefined) await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
  }
  console.log(name);
}
await browser.close();
server.close();
