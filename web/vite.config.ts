import {defineConfig, type Plugin} from 'vite';

// Each page becomes one file, NAME/index.html -> NAME.html, with its script and its style inside: it has to open from a disk,
// where a browser loads no module from a second file. The script goes to the end of the body, after the place of the data.
function oneFileEach(): Plugin {
  return {
    name: 'one-file-each',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const [path, page] of Object.entries(bundle)) {
        if (page.type !== 'asset' || !path.endsWith('.html')) continue;
        let html = String(page.source);
        let scripts = '';
        html = html.replace(/\s*<script type="module"[^>]*src="\/([^"]+)"[^>]*><\/script>/g, (_tag, source: string) => {
          const chunk = bundle[source];
          if (chunk?.type !== 'chunk') throw new Error(`${path} asks for ${source}, which was not built`);
          delete bundle[source];
          scripts += `<script type="module">${chunk.code.trim().replace(/<\/(script)/gi, '<\\/$1')}</script>\n`;
          return '';
        });
        html = html.replace(/\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (_tag, source: string) => {
          const style = bundle[source];
          if (style?.type !== 'asset') throw new Error(`${path} asks for ${source}, which was not built`);
          delete bundle[source];
          return `\n<style>${String(style.source).trim()}</style>`;
        });
        page.source = html.replace('</body>', () => `${scripts}</body>`);
        page.fileName = path.replace(/\/index\.html$/, '.html');
      }
      const left = Object.values(bundle).filter((file) => !file.fileName.endsWith('.html'));
      if (left.length > 0) throw new Error(`left outside of the pages: ${left.map((file) => file.fileName).join(', ')}`);
    },
  };
}

export default defineConfig({
  plugins: [oneFileEach()],
  build: {
    emptyOutDir: false, // other pages are built into the same folder; build.mjs names it, and the page
    target: 'es2022',
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: false,
    chunkSizeWarningLimit: 1024, // kB; nearly all of it is three.js
  },
});
