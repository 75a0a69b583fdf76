import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const sources = path.join(import.meta.dirname, '..')

/** The modules that a file loads. Imports of types load nothing. */
function loadedBy(file: string): string[] {
  const text = fs.readFileSync(path.join(sources, file), 'utf8')
  return [...text.matchAll(/^(?:import|export) (?!type\b)(?:([^'"]*?)from )?'(\.[^']+)'/gm)]
    .filter(([, names]) => !names || !/^\{(?:\s*type [^,}]+,?)+\s*\} $/.test(names))
    .map(([, , target]) => path.posix.join(path.posix.dirname(file), target!))
}

test('a collector of another site loads no code of the database, of accounts or of pages', () => {
  const loaded = new Set<string>()
  const next = ['main.ts', 'remote-program.ts']
  for (let file = next.pop(); file; file = next.pop()) {
    if (loaded.has(file)) continue
    loaded.add(file)
    next.push(...loadedBy(file))
  }
  expect([...loaded]).toEqual(expect.arrayContaining(['collectors/pve/index.ts', 'cluster/leases/leases.ts']))
  const refused = /^(?:db|access|http|live|alerts|history|notify|transfer|server|foundation)\b/
  expect([...loaded].filter((file) => refused.test(file))).toEqual([])
})
