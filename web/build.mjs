// Builds every page, one after the other: several pages in one build would share pieces, and each has to be one file.
//
//   node build.mjs [FOLDER]      default: ../build/web
import {existsSync, readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {resolve} from 'node:path';
import {build} from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const outDir = resolve(process.argv[2] ?? `${root}/../build/web`);
for (const page of readdirSync(root).filter((name) => existsSync(`${root}/${name}/index.html`)))
  await build({root, logLevel: 'warn', build: {outDir, rollupOptions: {input: `${page}/index.html`}}});
