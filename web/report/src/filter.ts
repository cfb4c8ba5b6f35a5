// Which experiments and items show: by state, by paper, by words.
import {element, make} from '../../common/dom';
import {count} from '../../common/numbers';
import type {Report} from './data';

const states: [string, string][] = [['all', 'All'], ['passed', 'Passed'], ['failed', 'Failed'], ['not run', 'Not run']];

export class Filter {
  private state = 'all';
  private readonly paper = element<HTMLSelectElement>('paper');
  private readonly words = element<HTMLInputElement>('words');

  constructor(private readonly report: Report) {
    this.buttons();
    this.paper.append(
        make('option', {value: ''}, 'All papers'), ...report.papers.map(({id, short}) => make('option', {value: id}, short)),
        make('option', {value: 'exact'}, 'Exact answers'));
    this.paper.addEventListener('change', () => this.apply());
    this.words.addEventListener('input', () => this.apply());
    addEventListener('hashchange', () => this.follow());
    this.apply();
    this.follow();
  }

  private buttons(): void {
    for (const [state, label] of states) {
      const number =
          state === 'all' ? this.report.experiments.length : this.report.experiments.filter((one) => one.state === state).length;
      const button = make('button', {type: 'button'}, `${label} ${number}`);
      button.dataset.filter = state;
      button.addEventListener('click', () => {
        this.state = state;
        this.apply();
      });
      element('states').append(button);
    }
  }

  private apply(): void {
    const words = this.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (of: HTMLElement, state: boolean) => state && words.every((word) => of.dataset.words!.includes(word));
    for (const button of element('states').querySelectorAll('button'))
      button.setAttribute('aria-pressed', String(button.dataset.filter === this.state));
    const inPaper = (of: HTMLElement) => !this.paper.value || of.dataset.paper === this.paper.value;
    for (const section of document.querySelectorAll<HTMLElement>('section.paper')) {
      let rows = 0;
      for (const row of section.querySelectorAll<HTMLElement>('tbody tr')) {
        const state = row.dataset.state!;
        row.hidden = !matches(
            row, this.state === 'all' || state === this.state || (this.state === 'passed' && state === 'passed in part') ||
                (this.state === 'not run' && state === 'not there yet'));
        rows += row.hidden ? 0 : 1;
      }
      section.hidden = !inPaper(section) || rows === 0;
    }
    let shown = 0;
    for (const group of document.querySelectorAll<HTMLElement>('section.group')) {
      let cards = 0;
      for (const card of group.querySelectorAll<HTMLElement>('article')) {
        card.hidden = !inPaper(group) || !matches(card, this.state === 'all' || card.dataset.state === this.state);
        cards += card.hidden ? 0 : 1;
        const link = document.querySelector<HTMLElement>(`#contents a[href="#${CSS.escape(card.id)}"]`);
        if (link) link.parentElement!.hidden = card.hidden;
      }
      group.hidden = cards === 0;
      shown += cards;
    }
    const all = this.report.experiments.length;
    element('shown').textContent = shown === all ? count(all, 'experiment') : `${shown} of ${count(all, 'experiment')}`;
    element('none').hidden = shown > 0;
  }

  // An anchor leads to its place even where a filter hides it.
  private follow(): void {
    let target: HTMLElement | null = null;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {
      return; // not an address of this page
    }
    if (!target) return;
    if (target.closest('[hidden]')) {
      this.state = 'all';
      this.paper.value = this.words.value = '';
      this.apply();
    }
    this.stayAt(target);
  }

  // Plots are drawn as they come near, and move what is below them: there again for a while, unless somebody scrolls.
  private stayAt(target: HTMLElement): void {
    target.scrollIntoView();
    let times = 0;
    const again = setInterval(() => {
      target.scrollIntoView({behavior: 'instant'});
      if (++times === 6) clearInterval(again);
    }, 200);
    for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      addEventListener(kind, () => clearInterval(again), {once: true});
  }
}
