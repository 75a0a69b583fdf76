import fs from 'node:fs'
import path from 'node:path'
import type { Figures } from './figures.ts'

const dist = path.join(import.meta.dirname, '../apps/web/dist')

/** What the browser loads, in kilobytes of brotli: before the first page can show, and all there is. */
export function measureBundle(): Figures['bundle'] {
  const html = fs.readFileSync(path.join(dist, 'index.html'), 'utf8')
  const entry = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) => match[1]!)
  const all = fs
    .readdirSync(dist, { recursive: true })
    .map(String)
    .filter((name) => /\.(js|css)$/.test(name))
  return { entryKB: kilobytes(entry), totalKB: kilobytes(all) }
}

const kilobytes = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + fs.statSync(path.join(dist, `${name}.br`)).size, 0) / 1000
