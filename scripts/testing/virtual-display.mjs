// A virtual display for the tests' windows: no user's screen flickers, and it is the same everywhere.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { findProgram } from '../project.mjs';

const screen = '1920x1200x24';
const startTimeoutMs = 20_000;

/** Gives { env, close() }. `scratch`: an existing folder for the key; without it every local user could look in. */
export async function openVirtualDisplay(scratch) {
  const keyFile = join(scratch, 'xauthority');
  const key = randomBytes(16).toString('hex');
  const allow = (display) =>
    spawnSync(findProgram('xauth'), ['-q', '-f', keyFile, 'add', display, '.', key], { stdio: 'ignore' });
  allow(':0'); // the server looks at the key alone, and needs one before it has chosen its number
  const args = ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-noreset', '-auth', keyFile];
  const server = spawn(findProgram('Xvfb'), args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  const close = () => closeServer(server);
  try {
    const display = `:${await readDisplayNumber(server)}`;
    allow(display);
    return { env: { DISPLAY: display, XAUTHORITY: keyFile }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function readDisplayNumber(server) {
  return new Promise((resolve, reject) => {
    let complaints = '';
    let number = '';
    const timer = setTimeout(
      () => reject(new Error(`Xvfb chose no display within ${startTimeoutMs / 1000} s`)),
      startTimeoutMs,
    );
    server.stderr.on('data', (text) => {
      complaints += text;
    });
    server.stdio[3].on('data', (text) => {
      number += text;
      if (!number.includes('\n')) return;
      clearTimeout(timer);
      resolve(number.trim());
    });
    server.on('error', reject);
    server.on('exit', (code) =>
      reject(new Error(`Xvfb ended with code ${code}: ${complaints.trim() || 'it said nothing'}`)),
    );
  });
}

function closeServer(server) {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined)
    return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.kill('SIGKILL'), 3_000);
    server.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    server.kill('SIGTERM');
  });
}
