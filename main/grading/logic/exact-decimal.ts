/** A decimal number without rounding: `digits` without zeros at either end times 10^exponent; zero has no digits. */
export type ExactDecimal = {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
  readonly kind: 'finite' | 'infinite' | 'nan';
};

const FINITE = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i;
const SPECIAL = /^([+-]?)(?:(inf(?:inity)?)|s?nan\d*)$/i;

/** Reads what Python's `decimal.Decimal(text)` reads, exponent forms and underscores too; null for other texts. */
export function parseDecimal(text: string): ExactDecimal | null {
  const plain = asciiDigits(text.replaceAll('_', ''));
  const special = SPECIAL.exec(plain);
  if (special !== null) {
    const kind = special[2] === undefined ? 'nan' : 'infinite';
    return { negative: special[1] === '-', digits: '', exponent: 0, kind };
  }
  const match = FINITE.exec(plain);
  if (match === null) return null;
  const [, sign, whole = '', fraction = match[4] ?? '', , power = '0'] = match;
  const exponent = Number(power) - fraction.length;
  if (!Number.isSafeInteger(exponent)) return null;
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = withoutZerosAtTheEnd(significant);
  if (digits === '') return { negative: false, digits, exponent: 0, kind: 'finite' };
  return {
    negative: sign === '-',
    digits,
    exponent: exponent + significant.length - digits.length,
    kind: 'finite',
  };
}

/** Digits of other scripts count too. Each script has its ten digits in a row, and adjacent rows are both complete. */
function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}

/** A loop, as a regular expression takes quadratic time on long runs of inner zeros, and the text may be hostile. */
function withoutZerosAtTheEnd(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Equality of values as Python has it: -0 equals 0, NaN equals nothing. */
export function decimalsEqual(left: ExactDecimal, right: ExactDecimal): boolean {
  return (
    left.kind !== 'nan' &&
    left.kind === right.kind &&
    left.negative === right.negative &&
    left.digits === right.digits &&
    left.exponent === right.exponent
  );
}
