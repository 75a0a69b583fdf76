import type { KeyHint } from '../../../parts/keys/table-keys.ts'

export const alertListKeys: readonly KeyHint[] = [
  { keys: ['/', 'any letter'], does: 'Search' },
  { keys: ['↓'], does: 'From the search to the alerts' },
  { keys: ['↑', '↓'], does: 'From alert to alert' },
  { keys: ['Enter'], does: 'Why this alert?' },
  { keys: ['Tab'], does: 'To the links and buttons of an alert, and on' },
  { keys: ['Esc'], does: 'Reset the search, the filters and the selection' },
  { keys: ['?'], does: 'Show these keys' },
]
