// A TypeScript module of the pages, for tests on Node: bundled by esbuild, which Vite brings along (Node 18 does not read
// TypeScript).
import {build} from 'esbuild';
import {fileURLToPath} from 'node:url';

export async function load(path) {
  const entry = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const {outputFiles} = await build({entryPoints: [entry], bundle: true, format: 'esm', target: 'node18', write: false});
  return import('data:text/javascript;base64,' + Buffer.from(outputFiles[0].contents).toString('base64'));
}
