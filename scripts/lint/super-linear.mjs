// Can a regular expression take more than linear time? Decided on its automaton, without running it. It can where a text v
// leads around a loop p, from p to another loop q, and around q: n times v is then divided between the two in n ways, and
// a backtracking matcher tries all of them before it gives up (Weideman et al., "Analyzing matching time behavior of
// backtracking regular expression matchers", CIAA 2016). The search for a first match is a loop too, over any text.
// Lookarounds are taken to hold, and counts above 2 to have no end of their own: it may refuse what is harmless.
import { RegExpParser } from '@eslint-community/regexpp';
import { buildGraph, symbolsOf } from './pattern-graph.mjs';

const parser = new RegExpParser();

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
