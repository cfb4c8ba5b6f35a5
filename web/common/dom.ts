// The element with an id; a page without it is a mistake of ours.
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

// An element of the page, new: make('li', {className: 'rod'}, 'text', child).
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Partial<HTMLElementTagNameMap[K]>,
                                                            ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// Says of each part what it is: where a style lays a table out otherwise, browsers no longer take it for one.
export function tableRoles(table: HTMLTableElement): void {
  const set = (role: string, selector: string) =>
      table.querySelectorAll(selector).forEach((part) => part.setAttribute('role', role));
  table.setAttribute('role', 'table');
  set('rowgroup', 'thead, tbody');
  set('row', 'tr');
  set('columnheader', 'th[scope=col]');
  set('rowheader', 'th[scope=row]');
  set('cell', 'td');
}

export function makeSvg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}
