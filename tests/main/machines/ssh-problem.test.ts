import { describe, expect, test } from 'vitest';
import { parseDigests } from '../../../main/machines/logic/manifest';
import { groupOf, parseIdentity } from '../../../main/machines/logic/process-table';
import { parseSurvey } from '../../../main/machines/logic/shell-survey';
import { namePattern, parseSshConfig } from '../../../main/machines/logic/ssh-config';
import { connectionCut, retryWaitMs } from '../../../main/machines/logic/ssh-failures';
import { sshProblem } from '../../../main/machines/logic/ssh-problem';
import { promptIn } from '../../../main/machines/logic/ssh-prompt';
import { FramedOutput } from '../../../main/machines/ssh/framed-output';

describe('what ssh says before it ends', () => {
  // What OpenSSH 9.2 writes, shortened.
  const cases: readonly (readonly [string, RegExp, boolean])[] = [
    ['ssh: connect to host 10.0.0.1 port 22: Connection refused\r\n', /no ssh server answers/, true],
    ['ssh: connect to host 10.0.0.1 port 22: Connection timed out\r\n', /does not answer/, true],
    ['Connection to 127.0.0.1 port 22 timed out\r\n', /does not answer/, true],
    ['ssh: connect to host h port 22: No route to host\r\n', /no route to host/, true],
    ['ssh: Could not resolve hostname gpu-a: Name or service not known\r\n', /no host named gpu-a/, true],
    ['u@h: Permission denied (publickey,password).\r\n', /refused the login.*publickey,password/, false],
    ['Received disconnect: Too many authentication failures\r\n', /too many keys/, false],
    ['Host key verification failed.\r\n', /was not accepted/, false],
    ['No ED25519 host key is known for h and you have requested strict checking.\r\n', /not accepted/, false],
    ['Timeout, server gpu-a not responding.\r\n', /no longer answers/, true],
    ['client_loop: send disconnect: Broken pipe\r\n', /closed the connection/, true],
    ['/home/u/.ssh/config: line 3: Bad configuration option: foo\r\n', /does not accept its configur/, false],
    [
      'channel 0: open failed: connect failed: Connection refused\r\nstdio forwarding failed\r\n',
      /jump host cannot connect to it \(Connection refused\)/,
      true,
    ],
    [
      'channel 0: open failed: administratively prohibited: open failed\r\n',
      /jump host refuses to forward/,
      true,
    ],
    ['execvp(3) failed.: No such file or directory\r\n', /ssh is not installed on this computer/, false],
    ['something new\r\n', /something new\./, true],
    ['', /without a message/, true],
  ];
  test.each(cases)('%j is understood', (output, message, worthRetrying) => {
    expect(sshProblem('h', output, false)).toMatchObject({
      message: expect.stringMatching(message),
      worthRetrying,
    });
  });

  test('a changed host key is reported with its fingerprint and the command to type', () => {
    const words = [
      '@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @',
      'The fingerprint for the ED25519 key sent by the remote host is',
      'SHA256:abc.',
      'Offending ED25519 key in /home/a b/.ssh/known_hosts:7',
      'Host key for [10.0.0.1]:2222 has changed and you have requested strict checking.',
      'Host key verification failed.',
    ].join('\r\n');
    const { message, hint, worthRetrying } = sshProblem('gpu-a', words, false);
    expect(message).toContain('SHA256:abc');
    expect(hint).toContain("ssh-keygen -f '/home/a b/.ssh/known_hosts' -R '[10.0.0.1]:2222'");
    expect(worthRetrying).toBe(false);
  });

  test('a cut is not blamed on requested ports that are absent', () => {
    const refused = 'channel 3: open failed: connect failed: Connection refused\r\n';
    expect(connectionCut('h', refused).message).toBe('The connection to h was cut.');
    const both = connectionCut('h', `${refused}client_loop: send disconnect: Broken pipe\r\n`);
    expect(both).toEqual({ message: 'h closed the connection.', worthRetrying: true });
  });

  test('what was typed is not repeated', () => {
    expect(sshProblem('h', 'Password: \r\nhunter2\r\n', true).message).not.toContain('hunter2');
  });
});

describe('what ssh asks', () => {
  test('an open line is a question, soon', () => {
    expect(promptIn('motd\r\nu@h\u001b[1m password: ')).toEqual({ prompt: 'u@h password:', afterMs: 150 });
  });

  // What OpenSSH 9.2 writes.
  const unknown = (host: string, kind: string, print: string) =>
    `The authenticity of host '${host}' can't be established.\r\n${kind} key fingerprint is ${print}.\r\nThis key is not known by any other names.\r\n`;
  const sure = 'Are you sure you want to continue connecting (yes/no/[fingerprint])? ';

  test('whether a host key is right is asked with its host and fingerprint, of two hosts the last', () => {
    const first = `${unknown('jump (10.0.0.1)', 'RSA', 'SHA256:a/b')}${sure}`;
    expect(promptIn(first)?.hostKey).toEqual({ host: 'jump', fingerprint: 'RSA SHA256:a/b' });
    const second = `${first}yes\r\n${unknown('[10.0.0.5]:2222 ([10.0.0.5]:2222)', 'ED25519', 'SHA256:c+d')}${sure}`;
    const hostKey = { host: '[10.0.0.5]:2222', fingerprint: 'ED25519 SHA256:c+d' };
    expect(promptIn(second)?.hostKey).toEqual(hostKey);
    expect(promptIn(`${second}maybe\r\nPlease type 'yes', 'no' or the fingerprint: `)?.hostKey).toEqual(
      hostKey,
    );
    expect(promptIn(`${second}yes\r\nu@h's password: `)?.hostKey).toBeUndefined();
  });

  test('a deed elsewhere is one after a while, and silence is none', () => {
    expect(promptIn('Confirm user presence for key ED25519-SK\r\n')?.afterMs).toBe(1_000);
    expect(promptIn('Authorised users only\r\n')?.afterMs).toBe(10_000);
    expect(promptIn('\r\n')).toBeNull();
  });
});

test('waits grow to a minute', () => {
  expect([1, 2, 3, 6, 7, 8, 1_000].map(retryWaitMs)).toEqual([
    1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000,
  ]);
});

describe("the user's config", () => {
  test('names are read, patterns and comments are not', () => {
    const text = 'host=a "b c" *.lab !x d? # e\n  HostName x\nINCLUDE conf.d/* "~/o ther"\nMatch host y\n';
    expect(parseSshConfig(text)).toEqual([
      { kind: 'hosts', names: ['a', 'b c'] },
      { kind: 'include', paths: ['conf.d/*', '~/o ther'] },
    ]);
  });

  test.each([
    ['*.conf', 'a.conf', true],
    ['*.conf', '.a.conf', false],
    ['*.conf', 'aconf', false],
    ['a?c[0-9]', 'abc7', true],
    ['a[!b]', 'ab', false],
    ['a[', 'a[', true],
  ])('the pattern %s and the name %s', (pattern, name, matches) => {
    expect(namePattern(pattern).test(name)).toBe(matches);
  });
});

describe('the process table', () => {
  const stat = '4711 (a) b) S 1 4700 4700 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 1 0 987654 2715648 300 1';

  test('a mark is read from /proc or from ps', () => {
    expect(parseIdentity(`boot-id\n${stat}\n`)).toBe('boot-id 987654');
    expect(parseIdentity('boot-id\n')).toBeNull();
    expect(parseIdentity(`boot-id\n${stat.replace(' S ', ' Z ')}\n`)).toBeNull();
    expect(parseIdentity('Ss   Sat Nov 21 10:00:00 2026    \n')).toBe('Sat Nov 21 10:00:00 2026');
    expect(parseIdentity('Z+   Sat Nov 21 10:00:00 2026\n')).toBeNull();
    expect(parseIdentity('')).toBeNull();
  });

  test('the living of a group are read from /proc or from ps', () => {
    const dead = stat.replace('4711', '4712').replace(' S ', ' Z ');
    expect(groupOf(`${stat}\n${dead}\n${stat.replace('4711', '99')}\n`, 4700)).toEqual([99, 4711]);
    expect(groupOf('  12  34 S+\n 13 34 Z\n 14 35 S\n', 34)).toEqual([12]);
  });
});

test('names with line feeds and backslashes are read from digests', () => {
  const digest = 'a'.repeat(64);
  const text = `${digest}  ./a b\n\\${digest}  ./x\\ny\\\\z\n${digest} *./c\n`;
  expect([...parseDigests(text, 'folder').keys()]).toEqual(['a b', 'x\ny\\z', 'c']);
});

test('an incomplete survey is ignored', () => {
  const text = 'guard=setsid\ndetach=perl\nstat=bsd\ndigest=shasum\nproc=no\nhome=/Users/x y\n';
  expect(parseSurvey(text)).toMatchObject({ home: '/Users/x y', hasProc: false, stat: 'bsd' });
  expect(parseSurvey(text.replace('home=/', 'home='))).toBeNull();
  expect(parseSurvey('guard=setsid\n')).toBeNull();
});

describe('framed output', () => {
  const marks = { begin: 'Tb', end: 'Te' };
  const whole = Buffer.from('greeting\nTb 77\n\0one\nT\n\nTe 3 1\n');

  test('is found wherever the pieces are cut', () => {
    for (let cut = 0; cut <= whole.length; cut++) {
      const output = new FramedOutput(marks, { bytes: 1_000, keep: 'all' });
      output.push(whole.subarray(0, cut));
      if (cut < whole.length) expect(output.isComplete).toBe(cut > whole.indexOf('\n', whole.indexOf('Te')));
      output.push(whole.subarray(cut));
      expect(output.isComplete).toBe(true);
      expect([output.beginFields, output.endFields]).toEqual([['77'], ['3', '1']]);
      expect(output.bytes().toString()).toBe('\0one\nT\n\n');
    }
  });

  test('is flooded by one byte too many, or keeps the last', () => {
    const all = new FramedOutput(marks, { bytes: 100, keep: 'all' });
    const last = new FramedOutput(marks, { bytes: 100, keep: 'last' });
    for (const output of [all, last]) {
      output.push(Buffer.from('Tb 1\n'));
      for (let i = 0; i < 50; i++) output.push(Buffer.from(`${i}`.padStart(10)));
      output.push(Buffer.from('Te 0 1\n'));
    }
    expect(all.isFlooded).toBe(true);
    expect(last.bytes()).toHaveLength(100);
    expect(last.bytes().toString()).toMatch(/ {8}49$/);
  });
});
