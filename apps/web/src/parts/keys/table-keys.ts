export interface KeyHint {
  keys: readonly string[]
  does: string
}

/** Of a page with a search, filters and a table whose rows open. */
export const tableKeys: readonly KeyHint[] = [
  { keys: ['/', 'any letter'], does: 'Search' },
  { keys: ['Enter'], does: 'Remember what was searched' },
  { keys: ['↓'], does: 'From the search to the rows' },
  { keys: ['↑', '↓'], does: 'From row to row' },
  { keys: ['Page Up', 'Page Down'], does: 'Ten rows up or down' },
  { keys: ['Home', 'End'], does: 'To the first and the last row' },
  { keys: ['Enter', 'Space'], does: 'Open a row, or close it; choose a node, or all again' },
  { keys: ['→', '←'], does: 'Open, close, and back to the group' },
  { keys: ['Tab'], does: 'To the links of a row, and on' },
  {
    keys: ['Esc'],
    does: 'Close what is open; reset what was searched and filtered; show or hide the filters',
  },
  { keys: ['?'], does: 'Show these keys' },
]
