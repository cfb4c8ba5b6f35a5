// What a plot of a page shows, in pixels.
import assert from 'node:assert/strict';
import {difference, readPng} from './browser.mjs';

const rgb = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

export class PlotPicture {
  // Of the plot with this title, in the window.
  static async of(page, title) {
    const found = await page.evaluate((title) => {
      const plot = window.writhePage.plots.find((plot) => plot.title === title);
      plot.element.scrollIntoView({block: 'center'});
      plot.draw();
      return plot.data.series.map((_, s) => plot.color(s));
    }, title);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const picture = new PlotPicture();
    const box = await page.evaluate((title) => {
      const {left, top, right, bottom} =
          window.writhePage.plots.find((plot) => plot.title === title).element.querySelector('.u-over').getBoundingClientRect();
      return {left, top, right, bottom};
    }, title);
    return Object.assign(picture, {page, title, colors: found.map(rgb), image: readPng(await page.screenshot()), box});
  }

  place(x, y) {
    return this.page.evaluate(
        ([title, x, y]) => window.writhePage.plots.find((plot) => plot.title === title).placeOf(x, y), [this.title, x, y]);
  }

  isColor(series, x, y) {
    return difference(this.image.at(x, y), this.colors[series]) < 60;
  }

  // Whether the series is drawn within `reach` pixels of a value.
  async has(series, x, y, reach = 2) {
    const at = await this.place(x, y);
    for (let dx = -reach; dx <= reach; ++dx)
      for (let dy = -reach; dy <= reach; ++dy) if (this.isColor(series, at.x + dx, at.y + dy)) return true;
    return false;
  }

  async check(series, x, y, reach) {
    assert.ok(await this.has(series, x, y, reach), `${this.title}: series ${series} is not at ${x}, ${y}`);
  }

  // Corners of all pixels of a series within the area.
  extent(series) {
    const {box} = this;
    const found = {left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity};
    for (let y = Math.ceil(box.top); y < box.bottom; ++y) {
      for (let x = Math.ceil(box.left); x < box.right; ++x) {
        if (!this.isColor(series, x, y)) continue;
        Object.assign(found, {
          left: Math.min(found.left, x),
          right: Math.max(found.right, x),
          top: Math.min(found.top, y),
          bottom: Math.max(found.bottom, y)
        });
      }
    }
    return found;
  }
}
