// Light or dark: as the system says, until the user says otherwise; that is remembered where the browser allows it.
export type Theme = 'light' | 'dark';

const storeName = 'writhe-theme';

// A browser may refuse to store anything, for a file on a disk or for all pages: then a choice lasts as long as the page.
function remembered(): Theme | null {
  try {
    const stored = localStorage.getItem(storeName);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    return null;
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(storeName, theme);
  } catch {
    // nothing to be done
  }
}

const system = () => matchMedia('(prefers-color-scheme: dark)');

export class Themes {
  onChange = (_theme: Theme) => {};
  private chosen = false;

  constructor(private readonly button: HTMLButtonElement) {
    const stored = remembered();
    this.chosen = stored !== null;
    this.set(stored ?? (system().matches ? 'dark' : 'light'));
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
    remember(this.theme);
  }

  // For this page only: not remembered.
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
