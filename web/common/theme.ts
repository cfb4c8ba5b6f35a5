// Light or dark: as the system says, until the user says otherwise on this page.
export type Theme = 'light' | 'dark';

const system = () => matchMedia('(prefers-color-scheme: dark)');

export class Themes {
  onChange = (_theme: Theme) => {};
  private chosen = false;

  constructor(private readonly button: HTMLButtonElement) {
    this.set(system().matches ? 'dark' : 'light');
    system().addEventListener('change', (event) => {
      if (!this.chosen) this.set(event.matches ? 'dark' : 'light');
    });
    button.addEventListener('click', () => this.toggle());
  }

  get theme(): Theme {
    return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
  }

  toggle(): void {
    this.choose(this.theme === 'dark' ? 'light' : 'dark');
  }

  choose(theme: Theme): void {
    this.chosen = true;
    this.set(theme);
  }

  private set(theme: Theme): void {
    document.documentElement.dataset.theme = theme;
    this.button.setAttribute('aria-label', theme === 'dark' ? 'Light theme' : 'Dark theme');
    this.button.title = `${theme === 'dark' ? 'Light' : 'Dark'} theme (t)`;
    this.onChange(theme);
  }
}
