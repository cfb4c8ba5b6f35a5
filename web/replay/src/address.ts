// What the address of the page asks for: run.html#frame=12&color=twist&view=iso&theme=dark&contacts=off&still
import type {Theme} from '../../common/theme';
import type {View} from './data';

export interface Wish {
  frame: number | null; // from 0; negative ones count from the end
  color: string | null;
  view: View | null;
  theme: Theme | null;
  contacts: boolean; // the forces of contact
  still: boolean; // the picture alone, without controls: for screenshots
}

const views = ['iso', 'xy', 'xz', 'yz'];

// What is not understood is as if it were not there.
export function wishIn(hash: string): Wish {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const frame = given.get('frame');
  const view = given.get('view');
  const theme = given.get('theme');
  return {
    frame: frame !== null && /^-?\d+$/.test(frame) ? Number(frame) : null,
    color: given.get('color'),
    view: view !== null && views.includes(view) ? (view as View) : null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    contacts: given.get('contacts') !== 'off',
    still: given.has('still'),
  };
}
