import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const document = readFileSync(path.join(import.meta.dirname, '../docs/security.md'), 'utf8')

test('no promise has two rows', () => {
  const numbers = document
    .split('\n')
    .flatMap((line) => /^\| ((?:[RS]\d+(?:, )?)+) /.exec(line)?.[1]!.split(', ') ?? [])
  expect(numbers.length).toBeGreaterThan(40)
  expect(numbers).toEqual([...new Set(numbers)])
})

test('every security promise has its row: what proves it, and what is short', () => {
  for (let number = 1; number <= 23; number++) {
    const rows = document.split('\n').filter((line) => line.startsWith(`| S${number} `))
    expect(rows, `S${number}`).toHaveLength(1)
    const [, , proof, short] = rows[0]!.split('|').map((cell) => cell.trim())
    expect(proof === '–' && short === '–', `S${number} says nothing`).toBe(false)
  }
})
