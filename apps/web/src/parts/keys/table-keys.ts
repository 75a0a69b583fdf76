export interface KeyHint {
  keys: readonly string[]
  does: string
}

const keysWhere = (escape: string): readonly KeyHint[] => [
  { keys: ['/', 'any letter'], does: 'Search' },
  { keys: ['Enter'], does: 'Remember what was searched' },
  { keys: ['↓'], does: 'From the search to the rows' },
  { keys: ['↑', '↓'], does: 'From row to row' },
  { keys: ['Page Up', 'Page Down'], does: 'Ten rows up or down' },
  { keys: ['Home', 'End'], does: 'To the first and the last row' },
  { keys: ['Enter', 'Space'], does: 'Open a row, or close it; choose a node, or all again' },
  { keys: ['→', '←'], does: 'Open, close, and back to the group' },
  { keys: ['Tab'], does: 'To the links of a row, and on' },
  { keys: ['Esc'], does: escape },
  { keys: ['?'], does: 'Show these keys' },
]

const escape = 'Close what is open; reset what was searched and filtered'

/** Keys of a page with a search and a table whose rows open. */
export const tableKeys = keysWhere(escape)

/** Keys of such a page whose filters can be hidden. */
export const foldingTableKeys = keysWhere(`${escape}; show or hide the filters`)
