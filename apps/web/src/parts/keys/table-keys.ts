export interface KeyHint {
  keys: readonly string[]
  does: string
}

/** Of a page with a search, filters and a table whose rows open. */
export const tableKeys: readonly KeyHint[] = [
  { keys: ['/', 'any letter'], does: 'Search' },
  { keys: ['↓'], does: 'From the search to the rows' },
  { keys: ['↑', '↓'], does: 'From row to row; ten with Page Up and Page Down' },
  { keys: ['Home', 'End'], does: 'To the first and the last row' },
  { keys: ['Enter'], does: 'Open a row, or close it' },
  { keys: ['→', '←'], does: 'Open, close, and back to the group' },
  { keys: ['Tab'], does: 'To the links of a row' },
  { keys: ['Esc'], does: 'Reset what was searched and filtered; else show or hide the filters' },
  { keys: ['?'], does: 'Show these keys' },
]
