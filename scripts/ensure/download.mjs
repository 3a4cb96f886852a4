// Downloads one file over HTTPS, with progress. Gives up soon if the host is unreachable, or if a transfer stalls.
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runChild } from '../child.mjs';
import { findProgram } from '../project.mjs';
import { formatTransfer } from './reporter.mjs';

/** Until the first byte of the answer, redirects included; a firewall that drops packets would hold us for minutes. */
const connectTimeoutMs = 6_000;
const stallTimeoutMs = 30_000;

/** Throws an Error whose message is a short reason, as in "connection refused". */
export async function download(url, target, label, reporter) {
  // Node 20's fetch knows no proxies; curl does, and where people need a proxy curl is always there.
  if (proxyIsSet() && findProgram('curl')) return downloadWithCurl(url, target, label, reporter);
  const abort = new AbortController();
  let timer = setTimeout(
    () => abort.abort(new Error(`no answer within ${connectTimeoutMs / 1000} s`)),
    connectTimeoutMs,
  );
  const line = reporter.progress();
  try {
    const response = await fetch(url, { signal: abort.signal });
    if (!response.ok) throw new Error(`the host answered ${response.status} ${response.statusText}`.trim());
    const totalBytes = Number(response.headers.get('content-length')) || undefined;
    const startedAt = Date.now();
    let bytes = 0;
    const body = Readable.fromWeb(response.body).on('data', (chunk) => {
      bytes += chunk.length;
      clearTimeout(timer);
      timer = setTimeout(
        () => abort.abort(new Error(`nothing came for ${stallTimeoutMs / 1000} s`)),
        stallTimeoutMs,
      );
      line.update(`${label}: ${formatTransfer(bytes, totalBytes, Date.now() - startedAt)}`);
    });
    await pipeline(body, createWriteStream(target));
  } catch (error) {
    throw new Error(reasonOf(abort.signal.aborted ? abort.signal.reason : error));
  } finally {
    clearTimeout(timer);
    line.end();
  }
}

async function downloadWithCurl(url, target, label, reporter) {
  const args = [
    '-fsSL',
    '--connect-timeout',
    '6',
    '--speed-time',
    '30',
    '--speed-limit',
    '1',
    '-o',
    target,
    url,
  ];
  const result = await reportWhileGrowing([target], undefined, label, reporter, () =>
    runChild('curl', args, { collect: true }),
  );
  if (result.code !== 0) throw new Error(result.output.trim() || `curl ended with code ${result.code}`);
}

/** Progress of a program that writes what it downloads: `measure` gives the bytes so far. */
export async function reportWhileGrowing(paths, totalBytes, label, reporter, work, measure = sizeOfAll) {
  const startedAt = Date.now();
  const line = reporter.progress();
  const timer = setInterval(async () => {
    const bytes = await measure(paths);
    line.update(`${label}: ${formatTransfer(bytes, totalBytes, Date.now() - startedAt)}`);
  }, 300);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    line.end();
  }
}

async function sizeOfAll(paths) {
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (found) => found.size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const proxyIsSet = (env = process.env) =>
  Boolean(env.HTTPS_PROXY ?? env.https_proxy ?? env.ALL_PROXY ?? env.all_proxy);

const reasons = {
  ENOTFOUND: 'its name is not known here',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ENETUNREACH: 'no network',
  EHOSTUNREACH: 'the host is out of reach',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
};

export function reasonOf(error) {
  const code = error?.cause?.code ?? error?.code;
  return reasons[code] ?? (code ? `${error.message} (${code})` : (error?.message ?? String(error)));
}
