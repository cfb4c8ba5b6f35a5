// What the colours mean: the scale of a field, or the names of the rods.
import {element, make} from '../../common/dom';
import {count, exponentOf, plain, ticks, withExponent} from '../../common/numbers';
import {longestArrow} from './contacts';
import type {Field, Header} from './data';
import type {Look} from './obstacles';

const named = 7; // rods that have a line of their own

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export interface Choices {
  color(name: string): void;
  look(): void; // of the obstacles
  contacts(): void;
}

export class Legend {
  private readonly select = element<HTMLSelectElement>('color');

  constructor(private readonly header: Header, choose: Choices) {
    this.select.append(make('option', {value: 'rod'}, 'Rod'));
    for (const field of header.fields) this.select.append(make('option', {value: field.name}, capital(field.name)));
    this.select.addEventListener('change', () => choose.color(this.select.value));
    element('gradient').style.background = `linear-gradient(to right, ${header.colormap.join(', ')})`;
    element('legend').hidden = false;
    this.listRods();
    const [forces, obstacles] = [element('forces'), element('obstacles')];
    forces.hidden = header.contact === undefined;
    forces.addEventListener('click', () => choose.contacts());
    if (header.contact) {
      const {usual, high, unit} = header.contact;
      const longest = Math.min(longestArrow * usual, high);
      const exponent = exponentOf(longest);
      const scaled = longest / 10 ** exponent;
      const text = `${plain(scaled, 10 ** (Math.floor(Math.log10(scaled)) - 1))} ${withExponent(unit, exponent)}`;
      forces.querySelector('span')!.textContent = `Contact, longest ${longest < high ? '≥ ' : ''}${text}`;
    }
    obstacles.hidden = header.obstacles.length === 0;
    obstacles.addEventListener('click', () => choose.look());
    this.look('solid');
  }

  contacts(shown: boolean): void {
    element('forces').setAttribute('aria-pressed', String(shown));
  }

  look(look: Look): void {
    const words = count(this.header.obstacles.length, 'obstacle');
    element('obstacles').querySelector('span')!.textContent = `${words}: ${look}`;
  }

  // `span`: bytes of the first and the last colour.
  show(name: string, span: [number, number]): void {
    this.select.value = name;
    const field = this.header.fields.find((field) => field.name === name);
    element('scale').hidden = !field;
    element('unit').hidden = !field;
    element('rods').hidden = field !== undefined;
    if (field) this.drawScale(field, span);
  }

  private drawScale(field: Field, span: [number, number]): void {
    const ends = span.map((byte) => field.low + ((field.high - field.low) * byte) / 255);
    const exponent = exponentOf(Math.max(...ends.map(Math.abs)));
    const list = element('ticks');
    const [low, high] = ends.map((end) => end / 10 ** exponent) as [number, number];
    let marks = ticks(low, high, 5);
    const stepOf = () => (marks.length > 1 ? marks[1]! - marks[0]! : 10 ** (Math.floor(Math.log10(Math.abs(low) || 1)) - 2));
    if (marks.some((mark) => plain(mark, stepOf()).length > 4)) marks = ticks(low, high, 4); // long numbers need room
    const step = stepOf();
    const place = (mark: number) => (high > low ? (mark - low) / (high - low) : 0.5);
    list.replaceChildren(...marks.map((mark) => {
      const at = place(mark);
      const item = make('li', {className: at < 0.05 ? 'first' : at > 0.95 ? 'last' : ''}, plain(mark, step));
      item.style.left = `${100 * at}%`;
      return item;
    }));
    element('unit').textContent = withExponent(field.unit, exponent);
    const cut = span[0] > 0 || span[1] < 255;
    const all = [field.low, field.high].map((end) => plain(end / 10 ** exponent, step));
    element('beyond').hidden = !cut;
    element('beyond').textContent =
        `Rare values reach ${[...(span[0] > 0 ? [all[0]] : []), ...(span[1] < 255 ? [all[1]] : [])].join(' and ')}`;
  }

  private listRods(): void {
    const {rods} = this.header;
    const shown = rods.length > named ? rods.slice(0, named - 1) : rods;
    const items = shown.map((rod) => {
      const swatch = make('span', {className: 'swatch'});
      swatch.style.background = rod.color;
      return make('li', {title: rod.name}, swatch, make('span', {}, rod.name));
    });
    if (shown.length < rods.length) items.push(make('li', {className: 'muted'}, `and ${rods.length - shown.length} more`));
    element('rods').replaceChildren(...items);
  }
}
