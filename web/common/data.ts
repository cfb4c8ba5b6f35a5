// The data that the program put into a page, and what to say when they cannot be used. No browser needed but for `embedded`.

// What is wrong with the data, in a sentence for whoever opened the page.
export class DataError extends Error {}

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

// JSON has no other numbers than finite ones: those that are not come as null.
export type Maybe = number | null;

// What a page shows and how it is made again, for its messages: "report", "writhe experiment report FILE.html".
export interface Kind {
  what: string;
  command: string;
}

// Reads the parts of an object and names the one that is not as it must be: "experiments[3].name is not a text".
export class Reader {
  constructor(readonly value: unknown, readonly kind: Kind, readonly path = '') {}

  wrong(what: string): DataError {
    const where = this.path ? `${this.path} ` : 'it ';
    return new DataError(
        `The ${this.kind.what} in this page is damaged: ${where}${what}. Write the page again with \`${this.kind.command}\`.`);
  }
  at(key: string): Reader {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) throw this.wrong('is not an object');
    return new Reader((this.value as Record<string, unknown>)[key], this.kind, this.path ? `${this.path}.${key}` : key);
  }
  get there(): boolean { return this.value !== undefined && this.value !== null; }
  text(fallback?: string): string {
    if (typeof this.value === 'string') return this.value;
    if (!this.there && fallback !== undefined) return fallback;
    throw this.wrong('is not a text');
  }
  number(): number {
    if (isNumber(this.value)) return this.value;
    throw this.wrong('is not a number');
  }
  maybe(): Maybe {
    return this.there ? this.number() : null;
  }
  yes(): boolean { return this.value === true; }
  oneOf<T extends string>(...choices: T[]): T {
    if (choices.includes(this.value as T)) return this.value as T;
    throw this.wrong(`is not one of ${choices.join(', ')}`);
  }
  list<T>(read: (item: Reader) => T, fallback?: T[]): T[] {
    if (!this.there && fallback) return fallback;
    if (!Array.isArray(this.value)) throw this.wrong('is not a list');
    return this.value.map((item, k) => read(new Reader(item, this.kind, `${this.path}[${k}]`)));
  }
  map<T>(read: (item: Reader) => T): Map<string, T> {
    if (!this.there) return new Map();
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) throw this.wrong('is not an object');
    return new Map(Object.keys(this.value).map((key) => [key, read(this.at(key))]));
  }
}

export function parse(text: string, kind: Kind): Reader {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Reader(null, kind).wrong('is not JSON');
  }
  const reader = new Reader(value, kind);
  const format = reader.at('format').value;
  if (format !== 1) {
    throw new DataError(`This page shows a ${kind.what} of format 1, and the one in it has format ${String(format)}. ` +
                        'Write the page again with one version of the program.');
  }
  return reader;
}

// The element with the data; none in a page as it was built.
export const embedded = () => document.getElementById('writhe-data')?.textContent ?? null;

export interface Program {
  version: string;
  details: string;
}

export interface Machine {
  processor: string;
  cores: Maybe;
  memory: Maybe; // GB
  system: string;
  yardstick: Maybe; // ms
  yardstickMatrix: Maybe; // ms
  yardstickReference: Maybe; // ms, of the core that other times are stated for
}

export function readProgram(reader: Reader): Program {
  return {version: reader.at('version').text(), details: reader.at('details').text('')};
}

export function readMachine(reader: Reader): Machine {
  return {
    processor: reader.at('processor').text(''), cores: reader.at('cores').maybe(), memory: reader.at('memory_gb').maybe(),
    system: reader.at('system').text(''), yardstick: reader.at('yardstick_ms').maybe(),
    yardstickMatrix: reader.at('yardstick_matrix_ms').maybe(), yardstickReference: reader.at('yardstick_reference_ms').maybe(),
  };
}
