import type { KeyHint } from '../../../parts/keys/table-keys.ts'

export const thresholdKeys: readonly KeyHint[] = [
  { keys: ['/', 'any letter'], does: 'Search' },
  { keys: ['↑', '↓'], does: 'From row to row' },
  { keys: ['Tab'], does: 'To the values of a row, and on' },
  { keys: ['Enter'], does: 'Edit the value; keep what was typed' },
  { keys: ['Esc'], does: 'Leave the value as it was; clear the search' },
  { keys: ['Ctrl+S'], does: 'Save changes' },
  { keys: ['?'], does: 'Show these keys' },
]
