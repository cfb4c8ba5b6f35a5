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

// Ticks of a logarithmic axis within [low, high] (> 0), at most `most` of them with a name: powers of ten, every so many; where
// fewer than three of them lie inside, 2 and 5 times them too; where that gives fewer than two, any round numbers. The others of
// 2 to 9 have no name.
export function logTicks(low: number, high: number, most: number): {value: number; named: boolean}[] {
  const first = Math.floor(Math.log10(low) + 1e-9);
  const last = Math.ceil(Math.log10(high) - 1e-9);
  const within = (digits: number[]) => {
    const found: {value: number; digit: number; power: number}[] = [];
    for (let power = first; power <= last; ++power) {
      for (const digit of digits) {
        const value = Number(`${digit}e${power}`);
        if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) found.push({value, digit, power});
      }
    }
    return found;
  };
  const stride = Math.max(Math.ceil(within([1]).length / most), 1);
  const steps = [1, 2, 5];
  const few = within([1]).length < 3 && within(steps).length <= most;
  if (few && within(steps).length < 2) return ticks(low, high, most).map((value) => ({value, named: true}));
  return within(stride === 1 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1])
      .map(({value, digit, power}) => ({value, named: few ? steps.includes(digit) : digit === 1 && power % stride === 0}));
}

// The power of ten (a multiple of 3) to take out of numbers up to `size`, so that what is left is neither long nor tiny.
export function exponentOf(size: number): number {
  if (size === 0 || (size < 1e4 && size >= 1e-2)) return 0;
  return 3 * Math.floor(Math.log10(size) / 3 + 1e-9);
}

export const raised =
    (exponent: number) => [...String(exponent)].map((c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)])).join('');

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

// `digits` significant digits: "0.02977", "12.5", "3.2×10⁻⁷", "10⁻⁶"; the zeros at the end stay with `zeros`.
export function significant(value: number, digits = 3, zeros = false): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'not a number' : value > 0 ? '∞' : '−∞';
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e') as [string, string];
  const trim = (text: string) => (zeros || !text.includes('.') ? text : text.replace(/\.?0+$/, ''));
  const power = Number(exponent);
  const small = power >= -3 && power < 5;
  const text = small ? trim(Number(value.toPrecision(digits)).toFixed(Math.max(digits - 1 - power, 0)))
                     : `${trim(mantissa)}×10${raised(power)}`.replace(/^(-?)1×/, '$1');
  return value === 0 ? '0' : text.replace('-', '−');
}

// The same, and below 0.1 always with a power of ten, as errors are compared: "2.1×10⁻³".
export function powers(value: number, digits = 2): string {
  if (!(Math.abs(value) < 0.1) || value === 0) return significant(value, digits, true);
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e') as [string, string];
  return `${mantissa.replace('-', '−')}×10${raised(Number(exponent))}`;
}

// With the digits that a difference of `place` (> 0) from another value needs to be seen, 2 at least and 10 at most.
export function resolved(value: number, place: number): string {
  const size = Math.abs(value);
  const digits = size > 0 ? Math.floor(Math.log10(size) + 1e-9) - Math.floor(Math.log10(place) + 1e-9) + 1 : 2;
  return significant(value, Math.min(Math.max(digits, 2), 10), true);
}

// Seconds of a clock: "430 µs", "0.77 s", "12.3 s", "2 min 5 s", "1 h 12 min".
export function duration(seconds: number): string {
  if (seconds < 1e-3) return `${significant(seconds * 1e6, 3)} µs`;
  if (seconds < 0.1) return `${significant(seconds * 1e3, 3)} ms`;
  if (seconds < 59.95) return `${significant(seconds, 3)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const lengthUnits: [number, string][] = [[1e3, 'km'], [1, 'm'], [1e-2, 'cm'], [1e-3, 'mm'], [1e-6, 'µm'], [1e-9, 'nm']];

// A round length in m with the unit that makes it short: 0.05 -> "5 cm".
export function lengthWithUnit(length: number): string {
  const [size, unit] = lengthUnits.find(([size]) => length >= size * (1 - 1e-9)) ?? lengthUnits.at(-1)!;
  return `${Number((length / size).toPrecision(3))} ${unit}`;
}

export const count = (number: number, one: string, many = one + 's') =>
    `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
