// What the keys do.
import type {Themes} from '../../common/theme';
import type {View} from './data';
import type {Action} from './keys';
import type {Player} from './player';
import type {Stage} from './scene';
import type {Values} from './values';

export interface Commands {
  step(frames: number): void;
  look(view?: View): void;
  nextColor(): void;
  nextLook(): void;
  toggleContacts(): void;
  say(text: string): void;
}

const sides: Record<string, View> = {x: 'yz', y: 'xz', z: 'xy', i: 'iso'};
const turns: Record<string, [number, number]> = {a: [-0.1, 0], d: [0.1, 0], w: [0, 0.1], s: [0, -0.1]}; // rad: right, up
const nearer: Record<string, number> = {q: 1 / 1.15, e: 1.15};
const along: Record<string, number> = {',': -0.05, '.': 0.05}; // of the length of the rod
const steps: Record<string, number> = {
  ArrowLeft: -1, ArrowRight: 1, 'Shift+ArrowLeft': -10, 'Shift+ArrowRight': 10, Home: -Infinity, End: Infinity,
};

export function actions(commands: Commands, player: Player, stage: Stage, values: Values, themes: Themes): Action[] {
  const playOrPause = () => (player.playing ? player.pause() : player.play());
  const step = (key: string) => commands.step(steps[key]!);
  const look = (key: string) => commands.look(sides[key]);
  const faster = (by: number) => () => {
    player.faster(by);
    commands.say(`Speed ${player.speed}`);
  };
  const moving: Action[] = [
    {keys: [' '], shown: ['Space'], words: 'Play, pause', act: playOrPause},
    {keys: ['ArrowLeft', 'ArrowRight'], shown: ['←', '→'], words: 'A frame', act: step},
    {keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'], shown: ['Shift ←', '→'], words: 'Ten frames', act: step},
    {keys: ['Home', 'End'], shown: ['Home', 'End'], words: 'First, last frame', act: step},
    {keys: ['ArrowUp', '+', '='], shown: ['↑', '+'], words: 'Faster', act: faster(1)},
    {keys: ['ArrowDown', '-'], shown: ['↓', '−'], words: 'Slower', act: faster(-1)},
    {keys: ['l'], shown: ['L'], words: 'Loop', act: () => player.set(() => (player.loop = !player.loop))},
  ];
  const always: Action[] = [
    {keys: ['c'], shown: ['C'], words: 'Next colour', act: () => commands.nextColor()},
    {keys: ['x', 'y', 'z', 'i'], shown: ['X', 'Y', 'Z', 'I'], words: 'View along an axis, iso', act: look},
    {keys: ['f'], shown: ['F'], words: 'Fit the whole motion', act: () => commands.look()},
    {keys: ['a', 'd', 'w', 's'], shown: ['W', 'A', 'S', 'D'], words: 'Turn', act: (key) => stage.turn(...turns[key]!)},
    {keys: ['q', 'e'], shown: ['Q', 'E'], words: 'Further, nearer', act: (key) => stage.turn(0, 0, nearer[key]!)},
    {keys: ['v', 'Escape'], shown: ['V'], words: 'Values at a place of a rod',
     act: (key) => (key === 'v' ? values.toggle() : values.release())},
    {keys: [',', '.'], shown: [',', '.'], words: 'Along the rod', act: (key) => values.slide(along[key]!)},
    {keys: ['b', 'n'], shown: ['B', 'N'], words: 'Previous, next rod', act: (key) => values.change(key === 'n' ? 1 : -1)},
    ...(stage.obstacles.group.children.length > 0 ?
            [{keys: ['o'], shown: ['O'], words: 'Obstacles: solid, glass, hidden', act: () => commands.nextLook()}] : []),
    ...(stage.contacts.any ?
            [{keys: ['p'], shown: ['P'], words: 'Forces of contact', act: () => commands.toggleContacts()}] : []),
    {keys: ['t'], shown: ['T'], words: 'Light, dark', act: () => themes.toggle()},
  ];
  return player.frames > 1 ? [...moving, ...always] : always;
}
