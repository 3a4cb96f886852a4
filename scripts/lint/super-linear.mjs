// Can a regular expression take more than linear time? Decided on its automaton, without running it. It can where a text v
// leads around a loop p, from p to another loop q, and around q: n times v is then divided between the two in n ways, and
// a backtracking matcher tries all of them before it gives up (Weideman et al., "Analyzing matching time behavior of
// backtracking regular expression matchers", CIAA 2016). The search for a first match is a loop too, over any text.
// Lookarounds are taken to hold, and counts above 2 to have no end of their own: it may refuse what is harmless.
import { RegExpParser } from '@eslint-community/regexpp';

const parser = new RegExpParser();
const NEWLINES = '\n\r\u2028\u2029';
/** Stand for all characters, with those that the pattern names. */
const SAMPLE = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)),
  ...['Ω', 'λ', 'ж', '中', '٣', '\u2028', '\u2029', '\u200b', '\u3000', '\ufeff', '\ufffd', '•', '█'],
];

/** null, or what is wrong with it. */
export function superLinear(pattern, flags) {
  const unicode = flags.includes('u');
  const parsed = parser.parsePattern(pattern, undefined, undefined, {
    unicode,
    unicodeSets: flags.includes('v'),
  });
  const isAnchored = !flags.includes('m') && parsed.alternatives.every(beginsAtStart);
  const bodies = [];
  const symbols = symbolsOf(parsed, flags);
  const graph = buildGraph(parsed.alternatives, { flags, symbols, bodies, searches: !flags.includes('y') });
  const slow = slowLoop(graph);
  if (slow !== null) return slow;
  // A lookaround is tried wherever the search stands.
  for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) {
    const inner = slowLoop(buildGraph(body, { flags, symbols, bodies, searches: !isAnchored }));
    if (inner !== null) return inner;
  }
  return null;
}

const beginsAtStart = ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start';

/** Characters that no class of the pattern tells apart are one symbol. `of(node)`: the set of symbols that it matches. */
function symbolsOf(parsed, flags) {
  const mode = flags.replaceAll(/[gymd]/g, '');
  const named = new Set([...SAMPLE, ...parsed.raw]);
  const tests = new Map();
  visitNodes(parsed, (node) => {
    if (/^(?:Character|CharacterClass|CharacterSet|ExpressionCharacterClass)$/.test(node.type))
      tests.set(node.raw, new RegExp(`^(?:${node.raw})$`, mode));
    for (const { value } of [node, ...(node.type === 'CharacterClass' ? node.elements : [])])
      if (typeof value === 'number') named.add(String.fromCodePoint(value));
  });
  const all = [...tests];
  const bySignature = new Map();
  for (const character of named) {
    const own = all.map(([, test]) => (test.test(character) ? 1 : 0)).join('');
    const signature = `${own}${/\w/.test(character)}${NEWLINES.includes(character)}`;
    // The most readable one is shown.
    const known = bySignature.get(signature);
    if (known === undefined || (!/[ -~]/.test(known) && /[ -~]/.test(character)))
      bySignature.set(signature, character);
  }
  const characters = [...bySignature.values()];
  const matched = new Map(
    all.map(([raw, test]) => [
      raw,
      new Set(characters.flatMap((one, index) => (test.test(one) ? [index] : []))),
    ]),
  );
  const indices = (holds) => new Set(characters.flatMap((one, index) => (holds(one) ? [index] : [])));
  return {
    characters,
    all: indices(() => true),
    words: indices((one) => /\w/.test(one)),
    newlines: indices((one) => NEWLINES.includes(one)),
    of: ({ raw }) => matched.get(raw),
  };
}

function visitNodes(node, act) {
  act(node);
  if (node.type === 'CharacterClass') return;
  for (const child of [...(node.alternatives ?? []), ...(node.elements ?? [])]) visitNodes(child, act);
  if (node.type === 'Quantifier') visitNodes(node.element, act);
}

/**
 * Positions, each a place of the pattern that takes one character: { symbols, next: [{ to, allows }], accepts, runsOut }.
 * `allows` says for the symbols before and after an edge whether its word boundaries and lookbehinds hold; where a
 * position accepts, the match can end without giving up, and where it runs out, at the latest at the end of the text.
 */
function buildGraph(alternatives, { flags, symbols, bodies, searches }) {
  const states = [];
  const addState = () => states.push([]) - 1;
  const connect = (from, to, label = {}) => states[from].push({ to, ...label });
  let loops = 0;

  const addElement = (node, from) => {
    if (node.type === 'Group' || node.type === 'CapturingGroup')
      return addAlternatives(node.alternatives, from);
    if (node.type === 'Quantifier') return addQuantifier(node, from);
    if (node.type === 'Backreference') return from;
    const to = addState();
    if (node.type === 'Assertion') {
      if (node.alternatives !== undefined) bodies.push(node.alternatives);
      connect(from, to, { condition: node });
    } else connect(from, to, { symbols: symbols.of(node) });
    return to;
  };
  const addAlternatives = (list, from) => {
    const to = addState();
    for (const { elements } of list)
      connect(
        elements.reduce((at, node) => addElement(node, at), from),
        to,
      );
    return to;
  };
  const addQuantifier = ({ element, min, max }, from) => {
    let at = from;
    for (let copy = 0; copy < Math.min(min, 2); copy++) at = addElement(element, at);
    if (max === min) return at;
    const loop = loops++;
    const out = addState();
    if (max === Number.POSITIVE_INFINITY) {
      const head = addState();
      connect(at, head);
      const body = addState();
      connect(head, body, { enters: loop });
      connect(addElement(element, body), head, { leaves: loop });
      connect(head, out);
      return out;
    }
    for (let copy = 0; copy < Math.min(max - min, 2); copy++) {
      connect(at, out);
      const body = addState();
      connect(at, body, { enters: loop });
      const end = addState();
      connect(addElement(element, body), end, { leaves: loop });
      at = end;
    }
    connect(at, out);
    return out;
  };

  const start = addState();
  const end = addAlternatives(alternatives, start);
  const positions = [];
  const positionAt = new Map();
  const isMultiline = flags.includes('m');

  /** Where the pattern can go on from a state without a character. `mayStart`: does `^` hold here? */
  const edgesFrom = (state, mayStart, needsStart = false) => {
    const next = [];
    const accepts = [];
    const walk = (at, conditions, entered, seen, started) => {
      if (at === end && (started || !needsStart)) accepts.push(conditions);
      for (const edge of states[at]) {
        if (edge.symbols !== undefined) {
          if (started || !needsStart) next.push({ edge, conditions });
          continue;
        }
        if (seen.has(edge.to)) continue;
        if (edge.leaves !== undefined && entered.includes(edge.leaves)) continue; // an empty round is none
        const { condition } = edge;
        const isStart = condition?.kind === 'start';
        if (isStart && !mayStart) continue;
        walk(
          edge.to,
          condition === undefined || isStart ? conditions : [...conditions, condition],
          edge.enters === undefined ? entered : [...entered, edge.enters],
          new Set(seen).add(edge.to),
          started || isStart,
        );
      }
    };
    walk(state, [], [], new Set([state]), false);
    return { next, accepts };
  };
  const addPosition = (own, state, mayStart, needsStart) => {
    const position = { symbols: own, next: [], accepts: false };
    const index = positions.push(position) - 1;
    const { next, accepts } = edgesFrom(state, mayStart, needsStart);
    position.accepts = accepts.some((conditions) => conditions.length === 0);
    position.runsOut = accepts.some((conditions) => holdsAtEnd(conditions, position, isMultiline, symbols));
    for (const { edge, conditions } of next) {
      const allows = conditions.map((condition) => allowsOf(condition, symbols)).filter(Boolean);
      position.next.push({
        to: edge,
        allows: (before, after) => allows.every((holds) => holds(before, after)),
      });
    }
    return index;
  };
  for (const edges of states)
    for (const edge of edges)
      if (edge.symbols !== undefined)
        positionAt.set(
          edge,
          addPosition(edge.symbols, edge.to, isMultiline && meets(edge.symbols, symbols.newlines)),
        );
  const search = searches ? addPosition(symbols.all, start, false) : null;
  const line = searches && isMultiline ? addPosition(symbols.newlines, start, true, true) : null;
  for (const position of positions)
    position.next = position.next.map(({ to, allows }) => ({ to: positionAt.get(to), allows }));
  const always = () => true;
  if (search !== null) positions[search].next.push({ to: search, allows: always });
  if (line !== null) positions[search].next.push({ to: line, allows: always });
  return { positions, characters: symbols.characters };
}

const meets = (a, b) => [...a].some((symbol) => b.has(symbol));

/** Does all that is asked hold where the position's characters end, at another character or at the end of the text? */
function holdsAtEnd(conditions, { symbols: own }, isMultiline, symbols) {
  const others = [...symbols.all].filter((symbol) => !own.has(symbol));
  return conditions.every((condition) => {
    const { kind, negate } = condition;
    if (kind === 'end') return others.every((symbol) => isMultiline && symbols.newlines.has(symbol));
    const matched = singlesOf(condition, symbols);
    return (
      kind === 'lookahead' && negate && matched !== null && !others.some((symbol) => matched.has(symbol))
    );
  });
}

/** What a condition asks of the symbols before and after it; undefined: nothing that is known here. */
function allowsOf(condition, symbols) {
  const { kind, negate } = condition;
  const { words } = symbols;
  if (kind === 'word') return (before, after) => (words.has(before) !== words.has(after)) !== negate;
  const matched = singlesOf(condition, symbols);
  if (matched === null) return undefined;
  return (before, after) => matched.has(kind === 'lookbehind' ? before : after) !== negate;
}

/** The symbols that a lookaround of one character matches; null for others. */
function singlesOf({ kind, alternatives }, { of }) {
  if (kind !== 'lookbehind' && kind !== 'lookahead') return null;
  const isSingle = ({ elements }) => elements.length === 1 && of(elements[0]) !== undefined;
  return alternatives.every(isSingle)
    ? new Set(alternatives.flatMap(({ elements }) => [...of(elements[0])]))
    : null;
}

function slowLoop({ positions, characters }) {
  const component = componentsOf(positions);
  // A round past a place where the match can end is never given up.
  const mayTurn = (to, loop) => component[to] === component[loop] && !positions[to].accepts;
  const reach = positions.map((_, from) => reachable(positions, from));
  const table = positions.map(() => new Map());
  const step = (from, before, symbol) => {
    const key = before * characters.length + symbol;
    let found = table[from].get(key);
    if (found === undefined) {
      found = positions[from].next.flatMap(({ to, allows }) =>
        positions[to].symbols.has(symbol) && allows(before, symbol) ? [to] : [],
      );
      table[from].set(key, found);
    }
    return found;
  };
  const loops = positions.flatMap((position, index) =>
    position.next.some(({ to }) => component[to] === component[index]) && !position.accepts ? [index] : [],
  );
  for (const p of loops) {
    const within = positions[p].next.map(({ to }) => to).filter((to) => component[to] === component[p]);
    if (new Set(within).size < within.length)
      return 'can take exponential time: a text can be divided into rounds of a loop in several ways';
    for (const q of loops) {
      if (p === q || !reach[p].has(q) || positions[q].runsOut) continue;
      for (const last of positions[p].symbols) {
        if (!positions[q].symbols.has(last)) continue;
        const text = pumpedText({ p, q, last, mayTurn, reach, step, size: positions.length, characters });
        if (text !== null) return `takes more than linear time where ${JSON.stringify(text)} repeats`;
      }
    }
  }
  return null;
}

/** A text that leads from p to p, from p to q and from q to q, ending with the symbol `last`; null: there is none. */
function pumpedText({ p, q, last, mayTurn, reach, step, size, characters }) {
  const seen = new Set();
  const queue = [{ a: p, b: p, c: q, before: last, text: '' }];
  for (let index = 0; index < queue.length; index++) {
    const { a, b, c, before, text } = queue[index];
    for (let symbol = 0; symbol < characters.length; symbol++) {
      const aroundP = step(a, before, symbol).filter((to) => mayTurn(to, p));
      const aroundQ = step(c, before, symbol).filter((to) => mayTurn(to, q));
      if (aroundP.length === 0 || aroundQ.length === 0) continue;
      for (const to of step(b, before, symbol)) {
        if (!reach[to].has(q)) continue;
        for (const nextP of aroundP)
          for (const nextQ of aroundQ) {
            const longer = text + characters[symbol];
            if (nextP === p && to === q && nextQ === q && symbol === last) return longer;
            const key = ((nextP * size + to) * size + nextQ) * characters.length + symbol;
            if (seen.has(key)) continue;
            seen.add(key);
            queue.push({ a: nextP, b: to, c: nextQ, before: symbol, text: longer });
          }
      }
    }
  }
  return null;
}

function reachable(positions, from) {
  const found = new Set([from]);
  for (const at of found) for (const { to } of positions[at].next) found.add(to);
  return found;
}

/** Of each position the number of its strongly connected component (Tarjan). */
function componentsOf(positions) {
  const component = new Array(positions.length);
  const order = new Array(positions.length);
  const low = new Array(positions.length);
  const stack = [];
  let count = 0;
  let components = 0;
  const visit = (index) => {
    order[index] = low[index] = count++;
    stack.push(index);
    for (const { to } of positions[index].next) {
      if (order[to] === undefined) visit(to);
      if (component[to] === undefined) low[index] = Math.min(low[index], low[to]);
    }
    if (low[index] !== order[index]) return;
    for (let member = -1; member !== index; ) {
      member = stack.pop();
      component[member] = components;
    }
    components++;
  };
  positions.forEach((_, index) => {
    if (order[index] === undefined) visit(index);
  });
  return component;
}
