import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '../..')
const statement = /^(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm

/** All static imports of these files, packages by name. */
function loadedWith(...entries: string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    if (!/\.tsx?$/.test(file)) return
    for (const [, target] of fs.readFileSync(file, 'utf8').matchAll(statement)) {
      if (target!.startsWith('.')) visit(path.resolve(path.dirname(file), target!))
      else seen.add(target!)
    }
  }
  for (const entry of entries) visit(path.join(src, entry))
  return seen
}

test('[M 3.1] the first page loads neither the chart library nor the history', () => {
  const loaded = loadedWith('main.tsx', 'features/overview/page.tsx')
  expect(loaded).toContain('react')
  expect(loaded).toContain(path.join(src, 'features/overview/guest-details.tsx'))
  const late = /uplot|react-query|parts\/chart|parts\/history\/(?!history-(?:charts|button)\.tsx)/
  expect([...loaded].filter((one) => late.test(one))).toEqual([])
})

test('[M 3.2] nor what draws trends', () => {
  const loaded = loadedWith('main.tsx', 'features/overview/page.tsx')
  expect(loaded).toContain(path.join(src, 'parts/trends/trends.tsx'))
  expect([...loaded].filter((one) => /trends\/(?:layer|painter|draw)|react-query/.test(one))).toEqual([])
})

test('a chart with data loads it', () => {
  expect(loadedWith('parts/chart/plot.tsx')).toContain('uplot')
})
