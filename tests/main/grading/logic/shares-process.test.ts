import { expect, test } from 'vitest';
import { mayShareProcess } from '../../../../main/grading/logic/shares-process';

test.each([
  ['no import at all', 'print(int(input()) + 1)'],
  [
    'what contests use',
    'import sys, math\nfrom collections import deque, Counter\nimport heapq as h\nsys.setrecursionlimit(10**6)',
  ],
  ['a local import', 'def f():\n    from bisect import bisect_left\n    return bisect_left'],
  [
    'replaced streams',
    'import sys, io, os\nsys.stdin = io.StringIO(sys.stdin.read())\ninput = sys.stdin.readline',
  ],
  ['words that look like an import in a text', 'print("import export, from here")'],
])('%s: several tests may run in one process', (_, program) => {
  expect(mayShareProcess(program)).toBe(true);
});

test.each([
  ['threads', 'import threading'],
  ['threads behind a semicolon', 'import sys;import threading'],
  ['threads among others', 'import sys, threading'],
  ['threads in a function', 'def f():\n  from threading import Thread'],
  ['a package nobody knows', 'from foo.bar import baz'],
  ['its own signals', 'import signal'],
  ['an import by name', '__import__("threading")'],
  ['the builtins', 'import builtins\nbuiltins.sum = max'],
  ['a changed module', 'import math\nmath.seen = True'],
  ['a changed class of a module', 'import collections\ncollections.Counter.add = 1'],
  ['the folder it works in', 'import os\nos.chdir("/tmp")'],
  ['functions for the end', 'import atexit\natexit.register(print)'],
])('%s: each test has a process of its own', (_, program) => {
  expect(mayShareProcess(program)).toBe(false);
});
