import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.dirname(import.meta.dirname)

const testFiles = ['apps', 'packages', 'scripts', 'e2e'].flatMap((folder) =>
  fs
    .globSync('**/*.{ts,tsx}', { cwd: path.join(root, folder), exclude: ['**/node_modules', '**/dist'] })
    .map((file) => path.join(folder, file)),
)

/** The calls of a function in a text, with their arguments. */
function callsOf(name: string, text: string): string[] {
  return text
    .split(name)
    .slice(1)
    .map((rest) => {
      let depth = 0
      for (let at = 0; at < rest.length; at++) {
        if (rest[at] === '(') depth++
        if (rest[at] === ')' && --depth === 0) return name + rest.slice(0, at + 1)
      }
      return name + rest
    })
}

test('every wait for a condition has a timeout: the default of a second is too short on a busy machine', () => {
  const hasty = testFiles.flatMap((file) =>
    ['vi.waitFor', 'vi.waitUntil']
      .flatMap((name) => callsOf(`${name}`, fs.readFileSync(path.join(root, file), 'utf8')))
      .filter((call) => /^vi\.wait(For|Until)[<(]/.test(call) && !/within\(|limit\(|\btimeout\b/.test(call))
      .map((call) => `${file}: ${call}`),
  )
  expect(hasty).toEqual([])
})
