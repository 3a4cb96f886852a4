import { failed, ok, parsedJson, type Result } from '../../base';
import { rawElements, rawFields } from './raw-json';

/**
 * Arguments of MBPP+ that JSON cannot express: its file has lists where a problem takes tuples, sets or complex
 * numbers, and EvalPlus converts them back by the problem's number (evalplus/data/mbpp.py, mbpp_deserialize_inputs,
 * data version 0.2.0). This module writes the same values as Python literals, for `ast.literal_eval`.
 */

/** Converts one JSON text to Python; null if the rule is for other values. */
type Writer = (json: string) => string | null;

/** The same value as Python: null, true and false have other names there; a list stays a list. */
const plain: Writer = (json) => {
  const text = json.trim();
  if (text.startsWith('[')) return listOf(plain)(text);
  if (text.startsWith('{')) {
    const entries = [...(rawFields(text) ?? new Map<string, string>())].map(([key, value]) => {
      const written = plain(value);
      return written === null ? null : `${JSON.stringify(key)}: ${written}`;
    });
    return entries.includes(null) ? null : `{${entries.join(', ')}}`;
  }
  if (text.startsWith('"')) return textLiteral(text);
  if (text === 'null') return 'None';
  if (text === 'true') return 'True';
  if (text === 'false') return 'False';
  // A literal has no name for these: a number too large for a float is infinite, and nothing is NaN.
  if (text === 'Infinity') return '1e999';
  if (text === '-Infinity') return '-1e999';
  return text === 'NaN' ? null : text;
};

/** JSON's escapes mean the same in Python, except for a pair of surrogates, so the text is written out. */
function textLiteral(json: string): string | null {
  const value = parsedJson(json);
  return typeof value === 'string' ? JSON.stringify(value) : null;
}

function writeItems(json: string, item: Writer): string[] | null {
  const items = rawElements(json)?.map(item) ?? null;
  return items === null || items.includes(null) ? null : items.filter((text) => text !== null);
}

const listOf =
  (item: Writer): Writer =>
  (json) => {
    const items = writeItems(json, item);
    return items === null ? null : `[${items.join(', ')}]`;
  };

const tupleOf =
  (item: Writer): Writer =>
  (json) => {
    const items = writeItems(json, item);
    return items === null ? null : `(${items.map((text) => `${text},`).join(' ')})`;
  };
const tuple = tupleOf(plain);

/** EvalPlus gives an empty dictionary for an empty list here. */
const set: Writer = (json) => {
  if (!json.trim().startsWith('[')) return '{}';
  const items = writeItems(json, plain);
  return items === null ? null : `{${items.join(', ')}}`;
};

const deepTuple: Writer = (json) => (json.trim().startsWith('[') ? tupleOf(deepTuple)(json) : plain(json));

const tupleOrPlain: Writer = (json) => (json.trim().startsWith('[') ? tuple(json) : plain(json));

const complex: Writer = (json) => {
  const value = parsedJson(json);
  const text = typeof value === 'string' ? value : json.trim();
  if (!/^\(?[-+.\deEj]+\)?$/.test(text)) return null;
  return text.includes('j') ? text : `${text}+0j`;
};

const float: Writer = (json) => {
  const value = parsedJson(json);
  const text = typeof value === 'string' ? value : json.trim();
  if (!/^-?[\d.]+(?:e[-+]?\d+)?$/i.test(text)) return null;
  return /[.e]/i.test(text) ? text : `${text}.0`;
};

const tuplesInside: Writer = (json) => {
  const entries = [...(rawFields(json) ?? new Map<string, string>())].map(([key, value]) => {
    const text = tuple(value);
    return text === null ? null : `${JSON.stringify(key)}: ${text}`;
  });
  return entries.includes(null) ? null : `{${entries.join(', ')}}`;
};

/** The writers of the first arguments, and the one of all further ones. */
type Rule = { readonly first: readonly Writer[]; readonly rest: Writer; readonly whole?: Writer };

const rules: ReadonlyArray<readonly [Rule, readonly number[]]> = [
  [
    { first: [], rest: tuple },
    [
      2, 116, 132, 143, 222, 261, 273, 394, 399, 421, 424, 429, 470, 560, 579, 596, 616, 630, 726, 740, 744,
      809,
    ],
  ],
  [
    { first: [], rest: listOf(tuple) },
    [63, 64, 70, 94, 120, 237, 272, 299, 400, 409, 417, 438, 473, 614, 780],
  ],
  [{ first: [listOf(tuple)], rest: plain }, [75, 413, 444, 753]],
  [{ first: [plain, tuple], rest: plain }, [106, 750]],
  [{ first: [listOf(set)], rest: plain }, [115]],
  [{ first: [float, complex], rest: plain }, [124]],
  [{ first: [tuple], rest: plain }, [250, 307, 405, 446, 617, 720, 763, 808]],
  [{ first: [], rest: tupleOf(tuple) }, [259, 401, 445]],
  [{ first: [], rest: tupleOf(tupleOrPlain) }, [278]],
  [{ first: [tuplesInside], rest: plain }, [722]],
  [{ first: [complex], rest: plain }, [252]],
  [{ first: [], rest: plain, whole: deepTuple }, [580, 615, 791]],
];
const ruleOf = new Map(rules.flatMap(([rule, tasks]) => tasks.map((task) => [task, rule] as const)));

/**
 * The argument lists of one problem as one Python list; null if JSON can express them. The error is the end of a
 * sentence.
 */
export function mbppInputs(taskId: string, lists: readonly string[]): Result<string, string> | null {
  const task = Number(taskId.split('/').at(-1));
  const rule = ruleOf.get(task);
  if (rule === undefined) return null;
  const calls: string[] = [];
  for (const [i, list] of lists.entries()) {
    const call = rule.whole?.(list) ?? argumentsOf(list, rule);
    if (call === null) {
      return failed(`whose entry ${i + 1} is not what problem ${task} takes by EvalPlus' own rules.`);
    }
    calls.push(call);
  }
  return ok(`[${calls.join(', ')}]`);
}

function argumentsOf(list: string, rule: Rule): string | null {
  const items = rawElements(list);
  if (items === null || items.length < rule.first.length) return null;
  const texts = items.map((item, i) => (rule.first[i] ?? rule.rest)(item));
  return texts.includes(null) ? null : `[${texts.join(', ')}]`;
}
