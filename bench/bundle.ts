import fs from 'node:fs'
import path from 'node:path'
import type { Figures } from './figures.ts'

/** Size of the browser program in kilobytes of brotli: the first page, and the whole program. */
export function measureBundle(product: string, firstPageFiles?: readonly string[]): Figures['bundle'] {
  const dist = path.join(product, 'apps/web/dist')
  const kilobytes = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + fs.statSync(path.join(dist, `${name}.br`)).size, 0) / 1000
  const all = fs
    .readdirSync(dist, { recursive: true })
    .map(String)
    .filter((name) => /\.(js|css)$/.test(name))
  return {
    ...(firstPageFiles ? { firstPageKB: kilobytes(firstPageFiles) } : {}),
    totalKB: kilobytes(all),
  }
}
