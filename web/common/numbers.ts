// Numbers as people read them: round steps, ticks, lengths with a unit.

// The largest of 1, 2, 5 times a power of ten that is not above `limit` (> 0).
export function roundStep(limit: number): number {
  const power = 10 ** Math.floor(Math.log10(limit));
  const digit = limit / power;
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}

// Round numbers within [low, high], at most `most` of them.
export function ticks(low: number, high: number, most: number): number[] {
  if (!(high > low)) return [low];
  let step = roundStep((high - low) / most);
  while (Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1 > most) step = roundStep(step * 2.5);
  const found: number[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n <= Math.floor(high / step + 1e-9); ++n) found.push(n * step);
  return found;
}

// The power of ten (a multiple of 3) to take out of numbers up to `size`, so that what is left is neither long nor tiny.
export function exponentOf(size: number): number {
  if (size === 0 || (size < 1e4 && size >= 1e-2)) return 0;
  return 3 * Math.floor(Math.log10(size) / 3 + 1e-9);
}

const raised = (exponent: number) => [...String(exponent)].map((c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)])).join('');

// "N", 3 -> "10³ N"
export function withExponent(unit: string, exponent: number): string {
  return exponent === 0 ? unit : `10${raised(exponent)} ${unit}`.trim();
}

// With a real minus sign, without a trailing point or "-0"; `step` is the distance of neighbouring numbers and sets the decimals.
export function plain(value: number, step: number): string {
  const decimals = step > 0 ? Math.min(Math.max(-Math.floor(Math.log10(step) + 1e-9), 0), 9) : 3;
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

const lengthUnits: [number, string][] = [[1e3, 'km'], [1, 'm'], [1e-2, 'cm'], [1e-3, 'mm'], [1e-6, 'µm'], [1e-9, 'nm']];

// A round length in m with the unit that makes it short: 0.05 -> "5 cm".
export function lengthWithUnit(length: number): string {
  const [size, unit] = lengthUnits.find(([size]) => length >= size * (1 - 1e-9)) ?? lengthUnits.at(-1)!;
  return `${Number((length / size).toPrecision(3))} ${unit}`;
}

export const count = (number: number, one: string, many = one + 's') =>
    `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
