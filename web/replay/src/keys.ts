// The keyboard: one table for what keys do and for the overlay that lists them.
import {element, make} from '../../common/dom';

export interface Action {
  keys: string[]; // as KeyboardEvent.key has them, with "Shift+" where it matters
  shown: string[]; // as the overlay writes them
  words: string;
  act: (key: string) => void;
}

// Where a key belongs to what has the focus: letters and arrows choose in a list, blank and enter press a button.
function belongsToFocus(event: KeyboardEvent): boolean {
  const {target} = event;
  if (target instanceof HTMLSelectElement) return event.key !== 'Escape';
  return target instanceof HTMLButtonElement && (event.key === ' ' || event.key === 'Enter');
}

// Letters without their case (a shift is part of "?" already); other keys with it: "Shift+End".
function nameOf({key, shiftKey}: KeyboardEvent): string {
  if (key.length === 1) return key.toLowerCase();
  return shiftKey ? `Shift+${key}` : key;
}

export class Keys {
  private readonly dialog = element<HTMLDialogElement>('keys');

  constructor(actions: Action[]) {
    const help = element<HTMLButtonElement>('help');
    const all: Action[] = [...actions, {keys: ['?'], shown: ['?'], words: 'This list', act: () => this.toggle()}];
    const table = new Map(all.flatMap((action) => action.keys.map((key) => [key, action] as const)));
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || belongsToFocus(event)) return;
      if (this.dialog.open && event.key !== '?') return; // Escape is the dialog's own
      const named = nameOf(event);
      const action = table.get(named);
      if (!action) return;
      event.preventDefault();
      action.act(named);
    });
    this.dialog.querySelector('dl')!.append(...all.map((action) => make('div', {}, ...description(action))));
    help.addEventListener('click', () => this.toggle());
    element('close').addEventListener('click', () => this.dialog.close());
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog && !inside(this.dialog, event)) this.dialog.close();
    });
  }

  // A modal dialog holds the focus while it is open and gives it back when it closes.
  private toggle(): void {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }
}

function description(action: Action): Node[] {
  const keys = action.shown.flatMap((key) => [' ', make('kbd', {}, key)]).slice(1);
  return [make('dt', {}, ...keys), make('dd', {}, action.words)];
}

function inside(dialog: HTMLElement, event: MouseEvent): boolean {
  const box = dialog.getBoundingClientRect();
  return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
}
