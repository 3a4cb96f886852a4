import type { UsageAmount } from '../../preload/contract/usage';

/** "November 2026" of "2026-11". */
export function monthName(month: string): string {
  const [year = '', number = ''] = month.split('-');
  return `${MONTHS[Number(number) - 1] ?? number} ${year}`;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Hours in groups of three digits, with one decimal, below 1 with two; a dash for none. */
export function hoursText(hours: number): string {
  if (hours === 0) return '–';
  if (hours < 0.005) return '<0.01';
  return hours.toLocaleString('en-US', {
    minimumFractionDigits: hours < 1 ? 2 : 1,
    maximumFractionDigits: hours < 1 ? 2 : 1,
  });
}

/** "1,908.0 GPU-hours in 36 jobs, 36,469,549 prompt and 111,066,643 completion tokens in all". */
export function totalText({ gpuHours, jobs, promptTokens, completionTokens }: UsageAmount): string {
  const hours = `${gpuHours === 0 ? 'No' : hoursText(gpuHours)} GPU-hours in ${tokensText(jobs)} ${jobs === 1 ? 'job' : 'jobs'}`;
  if (promptTokens + completionTokens === 0) return `${hours} in all`;
  return `${hours}, ${tokensText(promptTokens)} prompt and ${tokensText(completionTokens)} completion tokens in all`;
}

/** A count in groups of three digits; a dash for none. */
export function tokensText(count: number): string {
  return count === 0 ? '–' : Math.round(count).toLocaleString('en-US');
}
