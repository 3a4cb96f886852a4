import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually';
import { startScriptedServer } from '../../support/scripted-http-server';
import { temporaryFolder } from '../../support/temporary-folder';
import { liveCodeBenchRow } from './livecodebench-files';
import { humanEvalFile, libraryIn, tableReader, unwrapped } from './sample-files';

const NAME = 'made/benchmark';
type Files = Readonly<Record<string, Buffer>>;
type Answer = (response: ServerResponse, request: IncomingMessage) => boolean;

/** A hub of our own: its list of files, and the files with ranges. `first` may answer in its place. */
async function hub(files: Files, first: Answer = () => false) {
  const requests: string[] = [];
  const server = await startScriptedServer((response, _, request) => {
    const path = request.url ?? '';
    requests.push(`${path.split('/').at(-1)} ${request.headers.range ?? 'whole'}`);
    if (first(response, request)) return;
    if (path === `/api/datasets/${NAME}`) {
      const siblings = Object.keys(files).map((rfilename) => ({ rfilename }));
      response.end(JSON.stringify({ sha: 'abcdef0123456789', siblings, cardData: { license: 'cc' } }));
      return;
    }
    const file = files[decodeURIComponent(path.replace(`/datasets/${NAME}/resolve/main/`, ''))];
    if (file === undefined) response.writeHead(404).end('none');
    else sendFile(response, request, file);
  });
  onTestFinished(server.dispose);
  return { host: server.baseUrl.replace(/\/v1$/, ''), asked: requests };
}

/** `cut`: after so many bytes, once `arrived` of them are on the other side's disk. */
function sendFile(
  response: ServerResponse,
  request: IncomingMessage,
  file: Buffer,
  cut?: { readonly bytes: number; readonly arrived: (size: number) => Promise<unknown> },
): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  response.writeHead(start > 0 ? 206 : 200, {
    'content-length': file.length - start,
    etag: '"one"',
    ...(start > 0 ? { 'content-range': `bytes ${start}-${file.length - 1}/${file.length}` } : {}),
  });
  if (cut === undefined) response.end(file.subarray(start));
  else {
    response.write(file.subarray(start, start + cut.bytes));
    void cut.arrived(start + cut.bytes).then(() => response.destroy());
  }
}

async function bytesBelow(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const stats = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return stats.reduce((sum, one) => sum + (one?.isFile() ? one.size : 0), 0);
}

async function openHub() {
  const folder = await temporaryFolder();
  const library = libraryIn(join(folder, 'data'), await tableReader());
  const left = async () => {
    const downloads = await readdir(join(folder, 'data', 'downloads')).catch(() => []);
    const benchmarks = await readdir(join(folder, 'data', 'benchmarks')).catch(() => []);
    return { downloads, benchmarks };
  };
  return { folder, library, left };
}

const rows = (from: number, count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, n) => `${liveCodeBenchRow(from + n)}\n`).join(''));

describe('an import from the hub', () => {
  it('takes the test files of a data set, and keeps its revision and licence', async () => {
    const { host } = await hub({
      'README.md': Buffer.from('#'),
      'train.jsonl': rows(0, 1),
      'test2.jsonl': rows(10, 3),
      'test.jsonl': rows(1, 2),
    });
    const { library, left } = await openHub();
    const completed: string[] = [];
    const imported = await library.importFromHub({
      name: NAME,
      host,
      onProgress: ({ activity, done, total }) => {
        if (done === total) completed.push(activity);
      },
    });
    expect(unwrapped(imported).value).toMatchObject({
      id: 'livecodebench-release-v2',
      problems: 5,
      version: 'release_v2',
      licence: 'cc',
      source:
        'The form of LiveCodeBench, from the data set made/benchmark at abcdef012345, files test.jsonl, test2.jsonl',
    });
    expect(completed).toEqual([
      'downloading test.jsonl',
      'downloading test2.jsonl',
      ...completed.slice(2).filter((what) => what.startsWith('reading')),
    ]);
    expect(await left()).toEqual({ downloads: [], benchmarks: ['livecodebench-release-v2'] });
  });

  it('takes the tables of the test split where there are no lines', async () => {
    const tables = join(import.meta.dirname, 'parquet');
    const { host } = await hub({
      'README.md': Buffer.from('#'),
      'openai/test-00000-of-00002.parquet': await readFile(join(tables, 'humaneval-snappy.parquet')),
      'openai/train-00000-of-00001.parquet': await readFile(join(tables, 'mbpp.parquet')),
    });
    const { library } = await openHub();
    const imported = await library.importFromHub({ name: NAME, host });
    expect(unwrapped(imported).value).toMatchObject({ problems: 5, rules: 'humaneval' });
  });

  it('of named files takes just those, from folders too', async () => {
    const { host } = await hub({ 'data/a b/HumanEval.jsonl': Buffer.from(humanEvalFile(2)) });
    const { library } = await openHub();
    const imported = await library.importFromHub({
      name: NAME,
      host,
      files: ['data/a b/HumanEval.jsonl'],
      licence: 'MIT',
    });
    expect(unwrapped(imported).value).toMatchObject({ id: 'benchmark', problems: 2, licence: 'MIT' });
  });

  it('takes a connection up again where it was cut', async () => {
    const file = rows(0, 500);
    let cuts = 0;
    const { library, folder } = await openHub();
    const arrived = (size: number) =>
      eventually(
        'the bytes on the disk',
        async () => (await bytesBelow(join(folder, 'data', 'downloads'))) >= size,
      );
    const { host, asked } = await hub({ 'test6.jsonl': file }, (response, request) => {
      if (!request.url?.endsWith('test6.jsonl') || cuts >= 3) return false;
      cuts += 1;
      sendFile(response, request, file, { bytes: 60_000, arrived });
      return true;
    });
    const imported = await library.importFromHub({ name: NAME, host, files: ['test6.jsonl'] });
    expect(unwrapped(imported).value).toMatchObject({ problems: 500, version: 'v6' });
    const ranges = asked.filter((line) => line.startsWith('test6')).map((line) => line.split(' ')[1]);
    expect(ranges).toHaveLength(4);
    expect(ranges[0]).toBe('whole');
    expect(ranges.slice(1).every((range) => /^bytes=\d+-$/.test(range ?? ''))).toBe(true);
  });

  it('starts over when the server does not support ranges', async () => {
    const file = rows(0, 300);
    let tries = 0;
    const { host } = await hub({ 'test.jsonl': file }, (response, request) => {
      if (!request.url?.endsWith('test.jsonl')) return false;
      tries += 1;
      response.writeHead(200, { 'content-length': file.length });
      if (tries === 1) response.write(file.subarray(0, 50_000), () => response.destroy());
      else response.end(file);
      return true;
    });
    const { library } = await openHub();
    expect(unwrapped(await library.importFromHub({ name: NAME, host })).value.problems).toBe(300);
  });

  it('follows a redirect to another host', async () => {
    const other = await hub({ 'test.jsonl': rows(0, 2) });
    const { host } = await hub({ 'test.jsonl': rows(0, 1) }, (response, request) => {
      if (!request.url?.endsWith('test.jsonl')) return false;
      response.writeHead(302, { location: `${other.host}${request.url}` }).end();
      return true;
    });
    const { library } = await openHub();
    expect(unwrapped(await library.importFromHub({ name: NAME, host })).value.problems).toBe(2);
  });
});

describe('an import from the hub that fails says what to do and leaves nothing', () => {
  it('without a network', async () => {
    const { library, left } = await openHub();
    const host = 'http://127.0.0.1:9';
    const listed = await library.importFromHub({ name: NAME, host });
    expect(listed).toMatchObject({
      ok: false,
      error: {
        code: 'unavailable',
        message: expect.stringContaining(
          `The files of ${NAME} could not be listed: the hub cannot be reached`,
        ),
        hint: expect.stringContaining(`Download ${host}/datasets/${NAME}/tree/main by hand`),
      },
    });
    const files = ['test6.jsonl'];
    const named = await library.importFromHub({ name: NAME, host, files, limits: { tries: 2 } });
    expect(named).toMatchObject({
      ok: false,
      error: {
        code: 'unavailable',
        message: expect.stringContaining(
          `test6.jsonl of ${NAME} was not imported: it could not be downloaded`,
        ),
        hint: expect.stringContaining(`Download ${host}/datasets/${NAME}/resolve/main/test6.jsonl by hand`),
      },
    });
    expect(await left()).toEqual({ downloads: [], benchmarks: [] });
  });

  it.each([
    ['a file that is not there', 404, 'not-found', 'the server has no such file'],
    ['a file behind an account', 401, 'unavailable', 'the server requires an account'],
    ['a server that is always busy', 503, 'unavailable', 'the server answered 503'],
  ])('%s', async (_, status, code, message) => {
    const { host } = await hub({}, (response, request) => {
      if (!request.url?.includes('/resolve/')) return false;
      response.writeHead(status).end();
      return true;
    });
    const { library, left } = await openHub();
    const files = ['test6.jsonl'];
    const imported = await library.importFromHub({ name: NAME, host, files, limits: { tries: 2 } });
    expect(imported).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(message) } });
    expect((await left()).downloads).toEqual([]);
  });

  const half = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': 1_000 }).write('half');
  };
  it.each([
    ['at the list of files', undefined, () => undefined, 'the hub does not answer'],
    ['at a file', ['test.jsonl'], () => undefined, 'the server does not answer'],
    ['in the middle of a file', ['test.jsonl'], half, 'the server stopped in the middle'],
  ])(
    'a server that is silent %s, which holds it for a while and not for ever',
    async (_, files, begin, why) => {
      const { host } = await hub({}, (response, request) => {
        begin(response);
        return files !== undefined || !request.url?.includes('/resolve/');
      });
      const { library, left } = await openHub();
      const limits = { tries: 2, answerMs: 200, stallMs: 200 };
      const imported = await library.importFromHub({ name: NAME, host, files, limits });
      expect(imported.ok ? '' : imported.error.message).toContain(why);
      expect((await left()).downloads).toEqual([]);
    },
  );

  it('a file that is larger than any benchmark', async () => {
    const { host } = await hub({}, (response, request) => {
      if (!request.url?.includes('/resolve/')) return false;
      response.writeHead(200, { 'content-length': 2 ** 40 });
      response.write('{');
      return true;
    });
    const { library, left } = await openHub();
    const imported = await library.importFromHub({ name: NAME, host, files: ['test6.jsonl'] });
    expect(imported.ok ? '' : imported.error.message).toContain('it has more than 32768 MB');
    expect((await left()).downloads).toEqual([]);
  });

  it('a list of files without an end, of which no more than a little is received', async () => {
    const mebibyte = Buffer.alloc(1024 ** 2, ' ');
    let sent = 0;
    const { host } = await hub({}, (response) => {
      const send = () => {
        sent += 1;
        if (!response.destroyed && sent < 1_000) response.write(mebibyte, send);
      };
      send();
      return true;
    });
    const { library } = await openHub();
    const imported = await library.importFromHub({ name: NAME, host });
    expect(imported.ok ? '' : imported.error.message).toContain('its list of files is too long');
    expect(sent).toBeLessThan(1_000);
  });

  it('a data set without rows', async () => {
    const { host } = await hub({ 'README.md': Buffer.from('#') });
    const { library } = await openHub();
    const imported = await library.importFromHub({ name: NAME, host });
    expect(imported.ok ? '' : imported.error.message).toContain(
      'it has no file of JSON lines and no Parquet table.',
    );
  });

  it('one with tables in several folders, until one is named', async () => {
    const table = await readFile(join(import.meta.dirname, 'parquet', 'mbpp.parquet'));
    const { host } = await hub({ 'full/test-0.parquet': table, 'sanitized/test-0.parquet': table });
    const { library } = await openHub();
    expect(await library.importFromHub({ name: NAME, host })).toEqual({
      ok: false,
      error: {
        code: 'bad-input',
        message: `${NAME} was not imported: it has tables in several folders (full, sanitized).`,
        hint: 'Name the files that you want, e.g. sanitized/test-0.parquet.',
      },
    });
    const named = await library.importFromHub({ name: NAME, host, files: ['sanitized/test-0.parquet'] });
    expect(unwrapped(named).value).toMatchObject({ problems: 4 });
  });

  it('a file of another kind, by its own name', async () => {
    const { host } = await hub({ 'test.jsonl': Buffer.from('{"a": 1}\n') });
    const { library, left } = await openHub();
    const imported = await library.importFromHub({ name: NAME, host });
    expect(imported.ok ? '' : imported.error.message).toMatch(
      /^test\.jsonl was not imported: line 1 has the fields/,
    );
    expect(await left()).toEqual({ downloads: [], benchmarks: [] });
  });

  it('a path that leads out of the data set', async () => {
    const { host } = await hub({});
    const { library } = await openHub();
    const imported = await library.importFromHub({ name: NAME, host, files: ['../../other/file.jsonl'] });
    expect(imported.ok ? '' : imported.error.message).toContain('is not the path of a file in a data set');
  });

  it('one that is cancelled on its way', async () => {
    const stop = new AbortController();
    const { host } = await hub({}, (response, request) => {
      if (!request.url?.includes('/resolve/')) return false;
      response.writeHead(200, { 'content-length': 10_000_000 });
      response.write(Buffer.alloc(100_000), () => setTimeout(() => stop.abort(), 20));
      return true;
    });
    const { library, left } = await openHub();
    const imported = await library.importFromHub({
      name: NAME,
      host,
      files: ['test.jsonl'],
      signal: stop.signal,
    });
    expect(imported).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect((await left()).downloads).toEqual([]);
  });

  it('after a start that was killed, whose downloads are cleared away', async () => {
    const { folder, library, left } = await openHub();
    await mkdir(join(folder, 'data', 'downloads', '.importing-999999-0123456789ab-abc'), { recursive: true });
    const { host } = await hub({ 'test.jsonl': rows(0, 1) });
    unwrapped(await library.importFromHub({ name: NAME, host }));
    expect((await left()).downloads).toEqual([]);
  });
});
