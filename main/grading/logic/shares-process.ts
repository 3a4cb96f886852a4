/**
 * May several tests of this program run in one process, one after the other? The process puts back what programs
 * usually change (waiting.py); a program that reaches for anything else gets a process for each test. This is for
 * honest programs, so that none of them passes by what its own test before has left. One that hides what it does
 * gains nothing by it: it knows no expected output, so it has to compute what it prints all the same.
 */
export function mayShareProcess(program: string): boolean {
  if (REACHING.test(program) || PATCHING.test(program)) return false;
  for (const [, from, names] of program.matchAll(IMPORT)) {
    const modules = from === undefined ? (names ?? '').split(',') : [from];
    if (!modules.every((name) => LEAVING_NOTHING.has(rootOf(name)))) return false;
  }
  return true;
}

/** An import statement, also behind a colon or a semicolon; words of a text that look like one do no harm. */
const IMPORT = /(?:^|[;:])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w., \t]+))/gm;

/** Modules of which a test leaves nothing that the next one could find, but by the words below. */
const LEAVING_NOTHING = new Set(
  (
    'string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json ' +
    'typing os time array decimal fractions cmath dataclasses enum abc numbers textwrap pprint struct hashlib base64 ' +
    'binascii zlib unicodedata calendar types keyword ast graphlib difflib __future__ numpy scipy pandas sympy ' +
    'networkx sortedcontainers'
  ).split(' '),
);

/** What changes the process, the interpreter or a module for longer than a test. New processes show by themselves. */
const REACHING = new RegExp(
  '\\b(?:' +
    '__builtins__|__import__|modules|settrace|setprofile|_getframe|setswitchinterval|excepthook|displayhook|' +
    'DefaultContext|register\\w*|reload|kill\\w*|f?chdir|umask|environ|putenv|unsetenv|nice|dup2?|closerange|tzset|' +
    'addaudithook|setfirstweekday|set_blocking|set_inheritable|purge|seterr\\w*|setbufsize|set_printoptions|set_option|' +
    'init_printing' +
    ')\\b',
);

/** An attribute of a module, or of a class in one, gets another value. */
const PATCHING =
  /\b(?:string|re|datetime|collections|heapq|bisect|copy|math|random|statistics|itertools|functools|operator|io|json|typing|os|time|decimal|fractions|calendar|sys)\.(?!std(?:in|out|err)\b)[\w.]+[ \t]*=(?!=)/;

function rootOf(module: string): string {
  const [name = ''] = module.trim().split(/\s+/);
  return name.split('.')[0] ?? '';
}
