import { expect, test } from 'vitest'
import { toKey } from './file-systems.ts'

test.each([
  ['/', 'root'],
  ['/var/lib/', 'var-lib'],
  ['C:\\', 'c'],
  ['Ünïcode 1', 'n-code-1'],
  ['...', 'disk'],
  ['', 'disk'],
  ['/mnt/a.b', 'mnt-a.b'],
])('%j is called %s', (label, key) => {
  expect(toKey(label)).toBe(key)
})
